// Imported by kgen from boxes.pottery.example.com and 7 more.

pub mod pottery_example_com;
