"""Pure decisions of recall: an index in memory, how a question is read, how hits are scored."""
