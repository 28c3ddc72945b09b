"""What to fold, what stands for the past, and a summariser that needs no model: all pure."""
