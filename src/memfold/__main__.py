"""``python -m memfold``: the command line."""

from memfold.cli import main

if __name__ == "__main__":
    main(prog_name="memfold")
