//! Version `v1` of the group `ships.example.org`.

pub mod admiralty;
pub mod ship_mate;
pub mod tug;
