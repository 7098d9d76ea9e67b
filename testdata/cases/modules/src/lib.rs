pub mod api;

#[cfg(test)]
mod tests;

#[cfg(feature = "steam")]
pub mod steam;

#[cfg(not(feature = "stone"))]
pub mod electric;

#[path = "elsewhere/odd-name.rs"]
pub mod peel;
