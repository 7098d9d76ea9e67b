//! The JSONPath expressions of printer columns: names, indexes, wildcards, slices, filters and descent.

use serde_json::Value;

/// Returns the values that a path selects. Missing fields select nothing; a mistake in the path selects nothing, too.
pub(super) fn select<'v>(root: &'v Value, path: &str) -> Vec<&'v Value> {
    let mut found = vec![root];
    let mut rest = path;
    while !rest.is_empty() {
        let Some((step, after)) = Step::read(rest) else {
            return Vec::new();
        };
        found = found.into_iter().flat_map(|value| step.apply(value)).collect();
        rest = after;
    }
    found
}

enum Step {
    Name(String),
    Names(Vec<String>),
    All,
    Index(i64),
    Slice(Option<i64>, Option<i64>),
    Filter {
        path: String,
        operator: Option<(String, Value)>,
    },
    /// The values of a field at any depth.
    Below(String),
}

impl Step {
    fn read(text: &str) -> Option<(Self, &str)> {
        if let Some(rest) = text.strip_prefix("..") {
            let (name, rest) = name(rest)?;
            return Some((Self::Below(name), rest));
        }
        if let Some(rest) = text.strip_prefix('[') {
            let end = closing(rest)?;
            let (inner, rest) = (rest.get(..end)?, rest.get(end + 1..)?);
            return Some((Self::bracket(inner.trim())?, rest));
        }
        let rest = text.strip_prefix('.').unwrap_or(text);
        if rest.starts_with('[') || rest.is_empty() {
            return Some((Self::Names(Vec::new()), rest)).filter(|_| !rest.is_empty());
        }
        if let Some(rest) = rest.strip_prefix('*') {
            return Some((Self::All, rest));
        }
        let (name, rest) = name(rest)?;
        Some((Self::Name(name), rest))
    }

    fn bracket(inner: &str) -> Option<Self> {
        if inner == "*" {
            return Some(Self::All);
        }
        if let Some(filter) = inner
            .strip_prefix("?(")
            .and_then(|filter| filter.strip_suffix(')'))
        {
            return Self::filter(filter);
        }
        if inner.starts_with(['\'', '"']) {
            let names = inner
                .split(',')
                .map(|name| name.trim().trim_matches(['\'', '"']).to_owned());
            return Some(Self::Names(names.collect()));
        }
        if let Some((from, to)) = inner.split_once(':') {
            let bound = |text: &str| match text.trim() {
                "" => Some(None),
                text => text.parse().ok().map(Some),
            };
            return Some(Self::Slice(bound(from)?, bound(to)?));
        }
        inner.parse().ok().map(Self::Index)
    }

    fn filter(text: &str) -> Option<Self> {
        for operator in ["==", "!=", "<=", ">=", "<", ">"] {
            let Some((path, value)) = text.split_once(operator) else {
                continue;
            };
            let value = value.trim();
            let unquoted = value
                .strip_prefix(['\'', '"'])
                .and_then(|value| value.strip_suffix(['\'', '"']));
            let value = match unquoted {
                Some(text) => Value::from(text),
                None => serde_json::from_str(value).ok()?,
            };
            let path = path.trim().strip_prefix('@')?.to_owned();
            return Some(Self::Filter {
                path,
                operator: Some((operator.to_owned(), value)),
            });
        }
        let path = text.trim().strip_prefix('@')?.to_owned();
        Some(Self::Filter { path, operator: None })
    }

    fn apply<'v>(&self, value: &'v Value) -> Vec<&'v Value> {
        match (self, value) {
            (Self::Name(name), Value::Object(entries)) => entries.get(name).into_iter().collect(),
            (Self::Names(names), _) if names.is_empty() => vec![value],
            (Self::Names(names), Value::Object(entries)) => {
                names.iter().filter_map(|name| entries.get(name)).collect()
            }
            (Self::All, Value::Array(items)) => items.iter().collect(),
            (Self::All, Value::Object(entries)) => entries.values().collect(),
            (Self::Index(index), Value::Array(items)) => position(*index, items.len())
                .and_then(|index| items.get(index))
                .into_iter()
                .collect(),
            (Self::Slice(from, to), Value::Array(items)) => {
                let bound = |bound: &Option<i64>, default| match bound {
                    Some(bound) => position(*bound, items.len()).unwrap_or(0),
                    None => default,
                };
                let (from, to) = (bound(from, 0), bound(to, items.len()));
                items.iter().take(to).skip(from).collect()
            }
            (Self::Filter { path, operator }, Value::Array(items)) => {
                let is_selected = |item: &&Value| {
                    let found = select(item, path).into_iter().next();
                    match (operator, found) {
                        (None, found) => found.is_some(),
                        (Some(_), None) => false,
                        (Some((operator, value)), Some(found)) => compare(found, operator, value),
                    }
                };
                items.iter().filter(is_selected).collect()
            }
            (Self::Below(name), _) => {
                let mut found = Vec::new();
                below(value, name, &mut found);
                found
            }
            _ => Vec::new(),
        }
    }
}

fn below<'v>(value: &'v Value, name: &str, found: &mut Vec<&'v Value>) {
    if let Some(inner) = value.get(name) {
        found.push(inner);
    }
    match value {
        Value::Object(entries) => entries.values().for_each(|value| below(value, name, found)),
        Value::Array(items) => items.iter().for_each(|value| below(value, name, found)),
        _ => {}
    }
}

fn position(index: i64, length: usize) -> Option<usize> {
    if index < 0 {
        length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)
    } else {
        usize::try_from(index).ok()
    }
}

fn compare(found: &Value, operator: &str, value: &Value) -> bool {
    let order = match (found, value) {
        (Value::String(left), Value::String(right)) => left.partial_cmp(right),
        (Value::Number(left), Value::Number(right)) => left.as_f64().partial_cmp(&right.as_f64()),
        (Value::Bool(left), Value::Bool(right)) => left.partial_cmp(right),
        _ => None,
    };
    let Some(order) = order else {
        return operator == "!=";
    };
    match operator {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// Reads a name. A backslash escapes the next character.
fn name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((position, character)) = characters.next() {
        match character {
            '\\' => name.push(characters.next()?.1),
            '.' | '[' => return Some((name, text.get(position..)?)).filter(|(name, _)| !name.is_empty()),
            other => name.push(other),
        }
    }
    Some((name, "")).filter(|(name, _)| !name.is_empty())
}

/// Returns the position of the bracket that closes the current one.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut depth = 0;
    for (position, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '[') => depth += 1,
            (None, ']') if depth == 0 => return Some(position),
            (None, ']') => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::select;

    #[test]
    fn paths_select_as_in_kubectl() {
        let root =
            json!({"a": {"b.c": 1, "d": [{"k": "x", "v": 1}, {"k": "y", "v": 2}]}, "e": [[1, 2], [3]]});
        let texts = |path: &str| {
            let found: Vec<Value> = select(&root, path).into_iter().cloned().collect();
            Value::Array(found).to_string()
        };
        assert_eq!(texts(".a.b\\.c"), "[1]");
        assert_eq!(texts(".a['b.c']"), "[1]");
        assert_eq!(texts(".a.d[*].v"), "[1,2]");
        assert_eq!(texts(".a.d[?(@.k==\"y\")].v"), "[2]");
        assert_eq!(texts(".a.d[?(@.v>1)].k"), "[\"y\"]");
        assert_eq!(texts(".a.d[-1].k"), "[\"y\"]");
        assert_eq!(texts(".e[0][1:]"), "[2]");
        assert_eq!(texts("..v"), "[1,2]");
        assert_eq!(texts(".a.none.x"), "[]");
        assert_eq!(texts(".a.d[9]"), "[]");
    }
}
