pub mod maze;
