// Imported by kgen from kilns.pottery.example.com.

pub mod pottery_example_com;
