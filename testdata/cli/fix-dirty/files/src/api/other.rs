// not committed, but not to be fixed either
