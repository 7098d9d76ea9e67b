//! +groupName=harbor.example.org

/// A type that is no kind.
pub struct Engine {
    pub rpm: i32,
}
