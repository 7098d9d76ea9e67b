//! Names of objects, labels and annotations, with the messages of the API machinery.

pub use kgen_cel::object_names::{is_label, is_label_1035};

pub(crate) use kgen_cel::object_names::{
    key_mistakes, label_1035_mistakes, label_mistakes, masked, path_segment_mistakes, subdomain_mistakes,
    value_mistakes,
};
