//! The folder is the module tree.
//! +groupName=bakery.example.org
