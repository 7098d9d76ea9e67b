//! The CEL rules that kgen writes itself, and how CEL spells the names of fields.

use kgen_model::Rule;

use crate::settings::OneOfSort;

/// Words that CEL keeps for itself; Kubernetes lets fields of these names in with underscores around them.
const RESERVED: &[&str] = &[
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Returns the name of a field as a CEL rule must spell it behind `self.`.
#[must_use]
pub fn cel_field(name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    let mut escaped = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(next) = rest.chars().next() {
        let (text, length) = match next {
            '_' if rest.starts_with("__") => ("__underscores__", 2),
            '.' => ("__dot__", 1),
            '-' => ("__dash__", 1),
            '/' => ("__slash__", 1),
            _ => (rest.get(..next.len_utf8()).unwrap_or_default(), next.len_utf8()),
        };
        escaped.push_str(text);
        rest = rest.get(length..).unwrap_or_default();
    }
    escaped
}

fn has(name: &str) -> String {
    format!("has(self.{})", cel_field(name))
}

/// Returns how many of `names` are set.
fn count(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("({}?1:0)", has(name)))
        .collect::<Vec<_>>()
        .join("+")
}

/// Returns a rule over several fields of which only some may be set.
#[must_use]
pub fn one_of(sort: OneOfSort, names: &[&str]) -> Rule {
    let list = names.join(" ");
    let (rule, message) = match sort {
        OneOfSort::AtMost => (
            format!("{} <= 1", count(names)),
            format!("at most one of the fields in [{list}] may be set"),
        ),
        OneOfSort::Exactly => (
            format!("{} == 1", count(names)),
            format!("exactly one of the fields in [{list}] must be set"),
        ),
        OneOfSort::AtLeast => (
            names.iter().map(|name| has(name)).collect::<Vec<_>>().join("||"),
            format!("at least one of the fields in [{list}] must be set"),
        ),
    };
    Rule {
        rule,
        message: Some(message),
        ..Rule::default()
    }
}

/// Returns the rule of an immutable value, on the value itself.
#[must_use]
pub fn immutable() -> Rule {
    Rule {
        rule: "self == oldSelf".to_owned(),
        message: Some("field is immutable".to_owned()),
        ..Rule::default()
    }
}

/// Returns the rule of an optional immutable field, on its parent: a value stays set.
#[must_use]
pub fn set_once(name: &str) -> Rule {
    let field = cel_field(name);
    Rule {
        rule: format!("!has(oldSelf.{field}) || has(self.{field})"),
        message: Some(format!("field {name} is immutable once set")),
        ..Rule::default()
    }
}

/// Returns the rule of a forbidden field, on its parent.
#[must_use]
pub fn forbidden(name: &str) -> Rule {
    Rule {
        rule: format!("!{}", has(name)),
        message: Some(format!("field {name} is forbidden")),
        ..Rule::default()
    }
}

/// Returns the discriminator's default name of a member: the name of the field, with a capital letter.
#[must_use]
pub fn member_name(field: &str) -> String {
    let mut characters = field.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(characters).collect()
    })
}

/// Returns the rules of a union, on the parent. `members` are JSON names, each with its value of the discriminator.
///
/// Without a discriminator, exactly one member is set, or at most one if `zero_or_one`. With one, a member is set
/// if and only if the discriminator names it.
#[must_use]
pub fn union(members: &[(&str, &str)], discriminator: Option<&str>, zero_or_one: bool) -> Vec<Rule> {
    let Some(discriminator) = discriminator else {
        let names: Vec<_> = members.iter().map(|(field, _)| *field).collect();
        let sort = if zero_or_one {
            OneOfSort::AtMost
        } else {
            OneOfSort::Exactly
        };
        return vec![one_of(sort, &names)];
    };
    let tag = cel_field(discriminator);
    let rule = |(field, name): &(&str, &str)| {
        let quoted = name.replace('\\', "\\\\").replace('\'', "\\'");
        Rule {
            rule: format!("(has(self.{tag}) && self.{tag} == '{quoted}') == {}", has(field)),
            message: Some(format!(
                "field {field} must be set if and only if {discriminator} is {name}"
            )),
            ..Rule::default()
        }
    };
    members.iter().map(rule).collect()
}
