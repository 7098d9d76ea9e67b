//! Rejects names that Kubernetes, cargo or Rust would reject, with a suggestion.

use kgen_diagnostics::{Code, Problem};

/// The longest name of a project. The names of its objects in the cluster start with it and add up to 20 characters.
const LONGEST_PROJECT: usize = 40;

/// The longest DNS label.
const LONGEST_LABEL: usize = 63;

/// Names that the templates use in the files of a kind.
const USED: &[&str] = &[
    "Action",
    "Arc",
    "Clientset",
    "Clock",
    "Condition",
    "Connection",
    "Controller",
    "CustomResource",
    "Debug",
    "Defaulter",
    "Defaults",
    "Deserialize",
    "Duration",
    "EventType",
    "Handle",
    "Informers",
    "JsonSchema",
    "Lister",
    "Manager",
    "Next",
    "ObjectKey",
    "ObjectMeta",
    "Reconciler",
    "Recorder",
    "Request",
    "ResourceExt",
    "Rules",
    "Serialize",
    "StreamExt",
    "SystemClock",
    "Time",
    "Validator",
    "Verdict",
    "Worker",
];

fn refuse(message: String, help: &str) -> Problem {
    Problem::general(Code::Usage, message).help(help)
}

/// Returns a problem with the name that the user probably meant, if it is a valid one.
fn refuse_with(message: String, near: Option<String>, help: &str) -> Problem {
    let problem = Problem::general(Code::Usage, message);
    let problem = match near {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem,
    };
    problem.help(help)
}

/// Checks the name of a project, which is also a package, a crate and a prefix of names in the cluster.
pub(crate) fn project(name: &str) -> Result<(), Problem> {
    const HELP: &str =
        "use lowercase letters, digits and dashes, such as `guestbook-operator`; `--name` sets the name";
    if !is_label(name) || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Err(refuse(
            format!("`{name}` is not a valid name for a project"),
            HELP,
        ));
    }
    if name.len() > LONGEST_PROJECT {
        let message = format!(
            "`{name}` has more than {LONGEST_PROJECT} characters, and names in the cluster start with it"
        );
        return Err(refuse(message, HELP));
    }
    let crate_name = name.replace('-', "_");
    let is_taken = [
        "alloc",
        "core",
        "std",
        "test",
        "proc_macro",
        "build",
        "deps",
        "examples",
        "incremental",
    ]
    .contains(&crate_name.as_str());
    if is_taken || kgen_model::rust_names::is_keyword(&crate_name) {
        return Err(refuse(format!("cargo reserves the name `{name}`"), HELP));
    }
    Ok(())
}

/// Checks the domain of a project.
pub(crate) fn domain(domain: &str) -> Result<(), Problem> {
    if is_subdomain(domain) {
        return Ok(());
    }
    Err(refuse(
        format!("`{domain}` is not a valid domain"),
        "use a domain that you own, in lowercase letters, such as `example.com`",
    ))
}

/// Checks a group, without and with the domain.
pub(crate) fn group(group: &str, whole: &str) -> Result<(), Problem> {
    if !is_subdomain(group) || !is_subdomain(whole) || whole.len() > 253 {
        let near = group.to_lowercase().replace(['_', ' '], "-");
        return Err(refuse_with(
            format!("`{group}` is not a valid group"),
            Some(near).filter(|near| near != group && is_subdomain(near)),
            "use lowercase letters, digits and dashes, such as `webapp`; kgen adds the domain of the project",
        ));
    }
    if group.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(refuse(
            format!("`{group}` cannot be a module in Rust"),
            "start the group with a letter",
        ));
    }
    if ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|reserved| whole == *reserved || whole.ends_with(&format!(".{reserved}")))
    {
        return Err(refuse(
            format!("the API server rejects `{whole}`: this domain is reserved for Kubernetes"),
            "use a domain that you own; `domain` in kgen.toml sets it",
        ));
    }
    Ok(())
}

/// Checks the whole group of a kind of another project.
pub(crate) fn foreign_group(group: &str) -> Result<(), Problem> {
    if is_subdomain(group) && group.contains('.') && !group.starts_with(|first: char| first.is_ascii_digit())
    {
        return Ok(());
    }
    Err(refuse(
        format!("`{group}` is not the whole group of a kind of another project"),
        "use the whole group, such as `cert-manager.io`, or give its domain with `--external-domain`",
    ))
}

/// Checks the path of a type or module in Rust.
pub(crate) fn type_path(path: &str) -> Result<(), Problem> {
    let is_name = |name: &str| {
        let is_inner = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let name = name.strip_prefix("r#").unwrap_or(name);
        !name.is_empty()
            && name.chars().all(is_inner)
            && !name.starts_with(|first: char| first.is_ascii_digit())
    };
    if path.contains("::") && path.split("::").all(is_name) {
        return Ok(());
    }
    Err(refuse(
        format!("`{path}` is not the path of a type in Rust"),
        "use a path such as `cert_manager::v1::Certificate`; `kgen import` writes the types of CRDs",
    ))
}

/// Checks the version of an API.
pub(crate) fn version(version: &str) -> Result<(), Problem> {
    if is_version(version) {
        return Ok(());
    }
    let near = version.to_lowercase().replace(['-', '_'], "");
    let near = format!("v{}", near.trim_start_matches('v'));
    Err(refuse_with(
        format!("`{version}` is not a valid API version"),
        Some(near).filter(|near| is_version(near)),
        "use a version such as `v1`, `v1alpha1` or `v2beta3`",
    ))
}

fn is_version(version: &str) -> bool {
    let number = |text: &str| {
        let digits = text.len()
            - text
                .trim_start_matches(|letter: char| letter.is_ascii_digit())
                .len();
        (digits > 0 && !text.starts_with('0')).then(|| text.get(digits..).unwrap_or_default().to_owned())
    };
    let Some(rest) = version.strip_prefix('v').and_then(number) else {
        return false;
    };
    let stage = rest.strip_prefix("alpha").or_else(|| rest.strip_prefix("beta"));
    version.len() <= LONGEST_LABEL
        && (rest.is_empty() || stage.and_then(number).is_some_and(|rest| rest.is_empty()))
}

/// Checks a kind.
pub(crate) fn kind(kind: &str) -> Result<(), Problem> {
    const HELP: &str = "use letters and digits, starting with a capital, such as `Guestbook`";
    let is_pascal = kind.starts_with(|first: char| first.is_ascii_uppercase())
        && kind.chars().all(|letter| letter.is_ascii_alphanumeric());
    if !is_pascal {
        let near = kgen_model::rust_names::pascal(kind);
        return Err(refuse_with(
            format!("`{kind}` is not a valid kind"),
            Some(near).filter(|near| near != kind && self::kind(near).is_ok()),
            HELP,
        ));
    }
    // The kind, the plural and the singular must be DNS labels in lowercase.
    if kind.len() > LONGEST_LABEL - 4 {
        return Err(refuse(
            format!("the kind `{kind}` is too long"),
            "use at most 59 characters",
        ));
    }
    if kind == "Self" {
        return Err(refuse(format!("`{kind}` is a keyword of Rust"), HELP));
    }
    if kgen_model::rust_names::is_in_prelude(kind) {
        return Err(refuse(
            format!("`{kind}` is a name of Rust's prelude"),
            "choose another kind, such as one with a word before it",
        ));
    }
    if USED.contains(&kind) {
        return Err(refuse(
            format!("`{kind}` has another meaning in the files that kgen writes"),
            "choose another kind, such as one with a word before it",
        ));
    }
    Ok(())
}

/// Checks the plural of a kind or one of its short names.
pub(crate) fn resource(what: &str, name: &str) -> Result<(), Problem> {
    if is_label(name) && name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Ok(());
    }
    Err(refuse(
        format!("`{name}` is not a valid {what} of a kind"),
        "use lowercase letters, digits and dashes, such as `guestbooks`",
    ))
}

fn is_label(text: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    !text.is_empty()
        && text.len() <= LONGEST_LABEL
        && text.chars().all(inner)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn is_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_look_like_versions() {
        for good in ["v1", "v12", "v1alpha1", "v2beta10"] {
            assert!(is_version(good), "{good}");
        }
        for bad in [
            "",
            "v",
            "1",
            "v0",
            "v01",
            "v1alpha",
            "v1alpha0",
            "v1gamma1",
            "v1alpha1x",
            "V1",
            "v1.2",
        ] {
            assert!(!is_version(bad), "{bad}");
        }
    }

    #[test]
    fn what_rust_or_kubernetes_refuse_is_refused() {
        assert!(kind("Guestbook").is_ok() && kind("HTTPRoute").is_ok() && kind("Type").is_ok());
        for bad in [
            "",
            "guestbook",
            "Guest-Book",
            "Self",
            "Option",
            "Vec",
            "Condition",
            "Ünï",
            &"A".repeat(60),
        ] {
            assert!(kind(bad).is_err(), "{bad}");
        }
        assert!(group("webapp", "webapp.example.com").is_ok() && group("a-b.c", "a-b.c.example.com").is_ok());
        for (bad, domain) in [
            ("", "x.y"),
            ("A", "x.y"),
            ("-a", "x.y"),
            ("a", "k8s.io"),
            ("1a", "x.y"),
        ] {
            assert!(group(bad, &format!("{bad}.{domain}")).is_err(), "{bad}");
        }
        assert!(project("guestbook-operator").is_ok());
        for bad in [
            "",
            "Guestbook",
            "a_b",
            "9lives",
            "-a",
            "test",
            "type",
            "core",
            &"a".repeat(41),
        ] {
            assert!(project(bad).is_err(), "{bad}");
        }
        assert!(domain("example.com").is_ok() && domain("Example.com").is_err() && domain("").is_err());
        assert!(resource("plural", "guestbooks").is_ok() && resource("plural", "1x").is_err());
    }
}
