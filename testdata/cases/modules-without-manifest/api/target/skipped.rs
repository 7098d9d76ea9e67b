never read
