"""What is known of people and things: read from what they say, kept true as it changes."""
