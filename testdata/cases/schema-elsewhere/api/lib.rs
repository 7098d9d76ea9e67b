mod broken;
pub mod kinds;
mod schemas;
