//! The parts of the chores that `kgen-bench` uses as well: the workspace and its commands, and how results are shown.

pub mod amounts;
pub mod table;
pub mod workspace;
