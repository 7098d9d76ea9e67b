//! Kinds without clients whose files would have the same name.

pub mod api;
