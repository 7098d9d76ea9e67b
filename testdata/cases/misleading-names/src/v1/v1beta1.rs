//! Doors.
pub struct Door {}
