pub mod api;
pub mod generated;
