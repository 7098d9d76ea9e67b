//! Whether two schemas mean the same, apart from texts and places.

use kgen_model::Schema;
use serde_json::Value;

/// Returns whether two schemas have the same keywords. Descriptions, titles, examples and places do not count.
pub(super) fn same(left: &Schema, right: &Schema) -> bool {
    let pair =
        |left: &Option<std::sync::Arc<Schema>>, right: &Option<std::sync::Arc<Schema>>| match (left, right) {
            (Some(left), Some(right)) => same(left, right),
            (None, None) => true,
            _ => false,
        };
    let (l, r) = (&left.constraints, &right.constraints);
    left.json_type == right.json_type
        && left.format() == right.format()
        && same_value(left.default.as_ref(), right.default.as_ref())
        && left.required == right.required
        && left.nullable == right.nullable
        && left.preserve_unknown_fields == right.preserve_unknown_fields
        && left.embedded_resource == right.embedded_resource
        && left.int_or_string == right.int_or_string
        && left.list_type == right.list_type
        && left.list_map_keys.to_vec() == right.list_map_keys.to_vec()
        && left.map_type == right.map_type
        && l.pattern == r.pattern
        && l.enumeration == r.enumeration
        && l.minimum == r.minimum
        && l.exclusive_minimum == r.exclusive_minimum
        && l.maximum == r.maximum
        && l.exclusive_maximum == r.exclusive_maximum
        && l.multiple_of == r.multiple_of
        && (l.min_length, l.max_length, l.min_items, l.max_items)
            == (r.min_length, r.max_length, r.min_items, r.max_items)
        && (l.min_properties, l.max_properties) == (r.min_properties, r.max_properties)
        && l.rules
            .iter()
            .map(|rule| spelled(&rule.rule))
            .eq(r.rules.iter().map(|rule| spelled(&rule.rule)))
        && left.properties.len() == right.properties.len()
        && left
            .properties
            .iter()
            .zip(&right.properties)
            .all(|((left_name, left), (right_name, right))| left_name == right_name && same(left, right))
        && pair(&left.additional_properties, &right.additional_properties)
        && pair(&left.items, &right.items)
        && pair(&left.not, &right.not)
        && same_sets(&left.any_of, &right.any_of)
        && same_sets(&left.one_of, &right.one_of)
        && same_sets(&l.all_of, &r.all_of)
}

/// Returns the text of a rule without comments and spaces that do not matter, so that two spellings can be compared.
pub(super) fn spelled(rule: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut text = String::with_capacity(rule.len());
    let mut is_apart = false;
    let mut letters = rule.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_comment = letter == '/' && letters.peek() == Some(&'/');
        if is_comment {
            letters.by_ref().find(|letter| *letter == '\n');
        }
        if is_comment || letter.is_whitespace() {
            is_apart = true;
            continue;
        }
        if is_apart && is_word(letter) && text.ends_with(is_word) {
            text.push(' ');
        }
        is_apart = false;
        let is_raw = text.ends_with(['r', 'R']);
        text.push(letter);
        if letter == '"' || letter == '\'' {
            if text.ends_with(&letter.to_string().repeat(3)) {
                // A string of several lines: the rest stays as it is.
                text.extend(letters.by_ref());
                break;
            }
            while let Some(inner) = letters.next() {
                text.push(inner);
                match inner {
                    '\\' if !is_raw => text.extend(letters.next()),
                    inner if inner == letter => break,
                    _ => {}
                }
            }
        }
    }
    text
}

/// Returns whether two lists have the same schemas in any order.
pub(super) fn same_sets(left: &[Schema], right: &[Schema]) -> bool {
    let within = |list: &[Schema], other: &[Schema]| {
        list.iter()
            .all(|part| other.iter().any(|other| same(part, other)))
    };
    left.len() == right.len() && within(left, right) && within(right, left)
}

/// Returns whether two values are equal for the API server: `1` and `1.0` are.
pub(super) fn same_value(left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (Some(Value::Number(left)), Some(Value::Number(right))) => {
            left == right || left.as_f64() == right.as_f64() && left.is_f64() != right.is_f64()
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same_value(Some(left), Some(right)))
        }
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, value)| same_value(Some(value), right.get(name)) && right.contains_key(name))
        }
        (left, right) => left == right,
    }
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn spaces_and_comments_of_rules_do_not_matter() {
        assert_eq!(
            spelled(" self.a  <= self.b // why\n && x in y "),
            "self.a<=self.b&&x in y"
        );
        assert_eq!(spelled("self != 'a  b' + \"c // d\""), "self!='a  b'+\"c // d\"");
        assert_eq!(spelled(r"self == 'it\'s  so'  "), r"self=='it\'s  so'");
        assert_ne!(spelled("x in y"), spelled("xin y"));
        assert_ne!(spelled("r'a  b'"), spelled("r'a b'"));
        assert_ne!(spelled(r"r'\' + 'a  b'"), spelled(r"r'\' + 'a b'"));
        assert_ne!(
            spelled(r"self == R'\' + 'a  b'"),
            spelled(r"self == R'\' + 'a b'")
        );
        assert_eq!(spelled(r"r'\'  +  'a  b'"), r"r'\'+'a  b'");
    }
}
