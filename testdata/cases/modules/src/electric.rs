nor is this
