//! +groupName=ships.example.org
//! The kinds of `ships.example.org`.

pub mod v1;
pub mod v2;
