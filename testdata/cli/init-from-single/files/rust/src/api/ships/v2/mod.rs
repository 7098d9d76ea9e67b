//! Version `v2` of the group `ships.example.org`.

pub mod ship_mate;
