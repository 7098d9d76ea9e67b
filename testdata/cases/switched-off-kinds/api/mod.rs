//! +groupName=harbor.example.org
#[cfg(feature = "tow")]
pub mod v1;
#[cfg(feature = "tow")]
pub struct Barge {
    pub metadata: ObjectMeta,
}
#[cfg(test)]
mod tests;
