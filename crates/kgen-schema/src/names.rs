//! Names of objects, labels and annotations, with the messages of the API machinery.

pub use kgen_cel::object_names::{
    is_label, is_label_1035, key_mistakes, label_1035_mistakes, label_mistakes, masked,
    path_segment_mistakes, subdomain_mistakes, value_mistakes,
};

/// Returns the mistakes in a key of the data of a ConfigMap or Secret.
pub fn config_key_mistakes(text: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    if text.len() > 253 {
        mistakes.push("must be no more than 253 characters".to_owned());
    }
    let is_inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if text.is_empty() || !text.chars().all(is_inner) {
        mistakes.push(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or \
             'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
                .to_owned(),
        );
    } else if text == "." || text == ".." {
        mistakes.push(format!("must not be '{text}'"));
    } else if text.starts_with("..") {
        mistakes.push("must not start with '..'".to_owned());
    }
    mistakes
}
