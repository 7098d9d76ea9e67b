//! Names of objects, labels and annotations, with the messages of the API machinery.

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const LABEL_1035: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";

/// Returns whether a text is a label of a DNS name after RFC 1123, which can begin with a digit. The length is not checked.
pub fn is_label(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(is_inner) && !text.starts_with('-') && !text.ends_with('-')
}

/// Returns whether a text is a label of a DNS name after RFC 1035, which begins with a letter. The length is not checked.
pub fn is_label_1035(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_lowercase()) && is_label(text)
}

fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

/// Returns the mistakes in the name of an object.
pub fn subdomain_mistakes(text: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    if text.len() > 253 {
        mistakes.push("must be no more than 253 characters".to_owned());
    }
    if !is_subdomain(text) {
        mistakes.push(mismatch(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
             start and end with an alphanumeric character",
            SUBDOMAIN,
            &["example.com"],
        ));
    }
    mistakes
}

/// Returns the mistakes in the name of a namespace.
pub fn label_mistakes(text: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    if text.len() > 63 {
        mistakes.push("must be no more than 63 characters".to_owned());
    }
    if !is_label(text) {
        mistakes.push(if is_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            mismatch(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
                 and end with an alphanumeric character",
                LABEL,
                &["my-name", "123-abc"],
            )
        });
    }
    mistakes
}

/// Returns the mistakes in the name of a kind, in lower case.
pub fn label_1035_mistakes(text: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    if text.len() > 63 {
        mistakes.push("must be no more than 63 characters".to_owned());
    }
    if !is_label_1035(text) {
        mistakes.push(mismatch(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
             character, and end with an alphanumeric character",
            LABEL_1035,
            &["my-name", "abc-123"],
        ));
    }
    mistakes
}

/// Returns the mistakes in the name of an embedded object, which can be almost anything.
pub fn path_segment_mistakes(text: &str, is_prefix: bool) -> Vec<String> {
    if !is_prefix && matches!(text, "." | "..") {
        return vec![format!("may not be '{text}'")];
    }
    let illegal = ["/", "%"].into_iter().filter(|part| text.contains(part));
    illegal.map(|part| format!("may not contain '{part}'")).collect()
}

/// Replaces a dash at the end, because something is appended to the text. The API server also cuts the character before it.
pub fn masked(text: &str) -> String {
    match text.strip_suffix('-') {
        Some(front) if !front.is_empty() => {
            let mut front = front.to_owned();
            front.pop();
            front.push('a');
            front
        }
        _ => text.to_owned(),
    }
}

/// Returns the mistakes in the key of a label, an annotation, or the name of a finalizer.
pub fn key_mistakes(text: &str) -> Vec<String> {
    const RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
                        alphanumeric character";
    const EXAMPLES: [&str; 3] = ["MyName", "my.name", "123-abc"];
    let parts: Vec<_> = text.split('/').collect();
    let mut mistakes = Vec::new();
    let name = match parts.as_slice() {
        [name] => *name,
        [prefix, name] => {
            if prefix.is_empty() {
                mistakes.push("prefix part must be non-empty".to_owned());
            } else {
                let found = subdomain_mistakes(prefix).into_iter();
                // This part of the API machinery counts bytes.
                let found = found.map(|mistake| mistake.replace("253 characters", "253 bytes"));
                mistakes.extend(found.map(|mistake| format!("prefix part {mistake}")));
            }
            *name
        }
        _ => {
            let mistake = mismatch(RULE, LABEL_KEY, &EXAMPLES);
            return vec![format!(
                "a valid label key {mistake} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        mistakes.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        mistakes.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_name(name) {
        mistakes.push(format!("name part {}", mismatch(RULE, LABEL_KEY, &EXAMPLES)));
    }
    mistakes
}

/// Returns the mistakes in the value of a label.
pub fn value_mistakes(text: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    if text.len() > 63 {
        mistakes.push("must be no more than 63 bytes".to_owned());
    }
    if !text.is_empty() && !is_name(text) {
        mistakes.push(mismatch(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start \
             and end with an alphanumeric character",
            LABEL_VALUE,
            &["MyValue", "my_value", "12345"],
        ));
    }
    mistakes
}

/// Returns whether a text consists of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.
fn is_name(text: &str) -> bool {
    let is_inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.ends_with(|last: char| last.is_ascii_alphanumeric())
        && text.chars().all(is_inner)
}

fn mismatch(rule: &str, pattern: &str, examples: &[&str]) -> String {
    let examples: Vec<_> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!(
        "{rule} (e.g. {}regex used for validation is '{pattern}')",
        examples.join(" or ")
    )
}
