"""Pure functions over text in any script: terms, tokens, sentences, times, entities, importance."""
