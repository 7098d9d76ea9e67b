pub mod api
