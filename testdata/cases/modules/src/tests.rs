//! Not read: +groupName here would be wrong anyway.

this is not even Rust
