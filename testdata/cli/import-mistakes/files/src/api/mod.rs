// Imported by kgen from wheels.pottery.example.com.

pub mod pottery_example_com;
