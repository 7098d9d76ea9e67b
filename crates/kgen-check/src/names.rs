//! Names of a resource, which are parts of addresses, manifests and commands.

use kgen_diagnostics::{Code, Fix, Problem, Problems, Span, Spanned};
use kgen_model::{KindVersion, Resource};
use kgen_schema::names::{is_label as is_subdomain_label, is_label_1035 as is_label};

use super::written_versions;

/// The longest label and the longest subdomain that DNS knows.
const LABEL_LENGTH: usize = 63;
const SUBDOMAIN_LENGTH: usize = 253;

/// Checks every name of a definition.
pub(super) fn check(resource: &Resource, problems: &mut Problems) {
    let Some(first) = written_versions(resource).next() else {
        return;
    };
    check_group(resource, first, problems);
    let names = &resource.names;
    let place = Place {
        resource,
        fallback: first.span,
    };
    // Kinds may have upper case letters; apart from that they are labels too.
    let before = problems.len();
    mixed_case_label("kind", &resource.kind, first.span, problems);
    if problems.len() > before {
        // The other names follow from the kind.
        return;
    }
    let plural = place.of(|version| version.plural.as_ref(), &names.plural);
    if names.plural.is_empty() {
        problems.push(Problem::error(Code::InvalidName, plural, "the plural is empty"));
    } else {
        label("plural", &names.plural, plural, problems);
    }
    if !names.singular.is_empty() {
        let singular = place.of(|version| version.singular.as_ref(), &names.singular);
        label("singular", &names.singular, singular, problems);
    }
    if !names.list_kind.is_empty() {
        mixed_case_label("kind of lists", &names.list_kind, first.span, problems);
    }
    if names.list_kind == resource.kind {
        let message = format!("the kind and the kind of its lists are both `{}`", resource.kind);
        problems.push(Problem::error(Code::InvalidName, first.group_span, message));
    }
    for short_name in &names.short_names {
        label(
            "short name",
            short_name,
            place.of_list(|version| &version.short_names, short_name),
            problems,
        );
    }
    for category in &names.categories {
        label(
            "category",
            category,
            place.of_list(|version| &version.categories, category),
            problems,
        );
    }
    for version in written_versions(resource) {
        label("version", &version.version, version.version_span, problems);
    }
    let whole = names.plural.len() + 1 + resource.group.len();
    if whole > SUBDOMAIN_LENGTH && resource.group.len() <= SUBDOMAIN_LENGTH {
        let message = format!(
            "the name of the CRD, `{}.{}`, has {whole} characters, more than {SUBDOMAIN_LENGTH}",
            names.plural, resource.group
        );
        problems.push(Problem::error(Code::InvalidName, plural, message));
    }
}

fn check_group(resource: &Resource, first: &KindVersion, problems: &mut Problems) {
    let group = &resource.group;
    let error = |message: String| Problem::error(Code::InvalidName, first.group_span, message);
    if group.len() > SUBDOMAIN_LENGTH {
        let length = group.len();
        problems.push(error(format!(
            "the group has {length} characters, more than {SUBDOMAIN_LENGTH}"
        )));
    } else if !group.split('.').all(is_subdomain_label) {
        problems.push(
            error(format!("the group `{group}` is not a domain name"))
                .help("use lowercase letters, digits, `-` and `.`, as in `example.com`"),
        );
    } else if !group.contains('.') {
        problems.push(
            error(format!("the group `{group}` has no dot"))
                .help("use a domain that you own, as in `example.com`"),
        );
    }
}

fn label(what: &str, name: &str, span: Span, problems: &mut Problems) {
    check_label(what, name, name, span, problems);
}

fn mixed_case_label(what: &str, name: &str, span: Span, problems: &mut Problems) {
    check_label(what, name, &name.to_lowercase(), span, problems);
}

fn check_label(what: &str, name: &str, compared: &str, span: Span, problems: &mut Problems) {
    if compared.len() > LABEL_LENGTH {
        let message = format!(
            "the {what} `{name}` has {} characters, more than {LABEL_LENGTH}",
            compared.len()
        );
        problems.push(Problem::error(Code::InvalidName, span, message));
    } else if !is_label(compared) {
        let cases = if what.starts_with("kind") {
            ""
        } else {
            "lowercase "
        };
        let lower_case = name.to_lowercase();
        let problem = Problem::error(Code::InvalidName, span, format!("`{name}` cannot be a {what}")).help(
            format!("use {cases}letters, digits and `-`; begin with a letter, end with a letter or digit"),
        );
        problems.push(if is_label(&lower_case) {
            let fix = Fix::word(span, lower_case).only_for(name).told();
            // Versions and kinds can be the names of modules and types, which others use.
            let is_only_here = ["plural", "singular", "short name", "category"].contains(&what);
            problem.with_fix(if is_only_here { fix } else { fix.uncertain() })
        } else {
            problem
        });
    }
}

/// Finds the marker that states a name, in any version.
struct Place<'a> {
    resource: &'a Resource,
    fallback: Span,
}

impl<'a> Place<'a> {
    fn of(&self, part: fn(&'a KindVersion) -> Option<&'a Spanned<String>>, name: &str) -> Span {
        let mut stated = self.resource.versions.iter().filter_map(part);
        stated
            .find(|spanned| spanned.value == name)
            .map_or(self.fallback, |spanned| spanned.span)
    }

    fn of_list(&self, part: fn(&'a KindVersion) -> &'a Vec<Spanned<String>>, name: &str) -> Span {
        let mut stated = self.resource.versions.iter().flat_map(part);
        stated
            .find(|spanned| spanned.value == name)
            .map_or(self.fallback, |spanned| spanned.span)
    }
}
