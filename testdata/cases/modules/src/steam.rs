this is not even Rust either
