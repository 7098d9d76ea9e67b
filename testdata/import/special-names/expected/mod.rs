// Imported by kgen from postgresqls.pottery.example.com.

pub mod pottery_example_com;
