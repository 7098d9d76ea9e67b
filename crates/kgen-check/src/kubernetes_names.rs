//! Names that Kubernetes accepts: labels and subdomains of DNS, parts of a path, keys and values of labels.

/// The longest label that DNS knows, and the longest name part of a key or value of a label.
const LABEL_LENGTH: usize = 63;
/// The longest subdomain that DNS knows.
const SUBDOMAIN_LENGTH: usize = 253;

/// Returns whether a text is a label after RFC 1123, such as a namespace.
pub(crate) fn is_dns_label(text: &str) -> bool {
    text.len() <= LABEL_LENGTH && is_subdomain_part(text)
}

/// Returns whether a text is a label after RFC 1035, such as a version: it begins with a letter.
pub(crate) fn is_letter_label(text: &str) -> bool {
    is_dns_label(text) && text.starts_with(|first: char| first.is_ascii_lowercase())
}

/// Returns whether a text is a subdomain after RFC 1123. As in Kubernetes, its parts may be longer than labels.
pub(crate) fn is_dns_subdomain(text: &str) -> bool {
    text.len() <= SUBDOMAIN_LENGTH && text.split('.').all(is_subdomain_part)
}

fn is_subdomain_part(text: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    !text.is_empty() && text.chars().all(inner) && !text.starts_with('-') && !text.ends_with('-')
}

/// Returns whether a text is a path segment of a URL, such as the name of a role.
pub(crate) fn is_path_segment(text: &str) -> bool {
    !text.is_empty() && text != "." && text != ".." && !text.contains(['/', '%'])
}

/// Returns whether a text is a name, perhaps behind a subdomain and a slash: the key of a label, or of a condition.
pub(crate) fn is_qualified_name(text: &str) -> bool {
    match text.split_once('/') {
        Some((prefix, name)) => is_dns_subdomain(prefix) && is_qualified_part(name),
        None => is_qualified_part(text),
    }
}

/// Returns whether a text is the value of a label, which may be empty.
pub(crate) fn is_label_value(text: &str) -> bool {
    text.is_empty() || is_qualified_part(text)
}

fn is_qualified_part(text: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let outer = |letter: char| letter.is_ascii_alphanumeric();
    text.len() <= LABEL_LENGTH && text.chars().all(inner) && text.starts_with(outer) && text.ends_with(outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_subdomains() {
        assert!(is_dns_label("north-gate-10"));
        assert!(is_dns_label("1st"));
        assert!(!is_letter_label("1st"));
        assert!(is_letter_label("v1beta1"));
        for wrong in ["", "-a", "a-", "A", "a.b", "a_b", &"a".repeat(64)] {
            assert!(!is_dns_label(wrong), "{wrong}");
        }
        assert!(is_dns_subdomain("a.b-c.1"));
        assert!(is_dns_subdomain(&"a".repeat(253)));
        for wrong in ["", "a..b", ".a", "a.", "a.-b", "A.b", &"a".repeat(254)] {
            assert!(!is_dns_subdomain(wrong), "{wrong}");
        }
    }

    #[test]
    fn segments_of_a_path() {
        for right in ["system:node", "Über", "..a", "a b"] {
            assert!(is_path_segment(right), "{right}");
        }
        for wrong in ["", ".", "..", "a/b", "a%b"] {
            assert!(!is_path_segment(wrong), "{wrong}");
        }
    }

    #[test]
    fn keys_and_values_of_labels() {
        for right in ["app", "App_1.x", "example.com/app", &"a".repeat(63)] {
            assert!(is_qualified_name(right), "{right}");
        }
        for wrong in [
            "",
            "/a",
            "a/",
            "a/b/c",
            "Example.com/a",
            "a b",
            "-a",
            "a.",
            &"a".repeat(64),
        ] {
            assert!(!is_qualified_name(wrong), "{wrong}");
        }
        assert!(is_label_value(""));
        assert!(is_label_value("v1.2_3"));
        assert!(!is_label_value("a/b"));
    }
}
