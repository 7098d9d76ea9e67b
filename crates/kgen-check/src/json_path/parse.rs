//! From the text of a path to its steps.

use super::Selector;

/// Why a path cannot be parsed: one line, without a period.
type Refusal = String;

/// How deep brackets may contain paths that contain brackets.
const MOST_DEPTH: usize = 8;

/// Reads a path as the API server reads the `jsonPath` of a column.
pub(crate) fn parse(text: &str) -> Result<Vec<Selector>, Refusal> {
    if !text.starts_with('.') {
        return Err("a path starts with `.`".to_owned());
    }
    if text.contains(['\n', '\r']) {
        return Err("a path has no line breaks".to_owned());
    }
    action(text, 0)
}

/// Parses a path, at the top or within brackets.
fn action(text: &str, depth: usize) -> Result<Vec<Selector>, Refusal> {
    if depth > MOST_DEPTH {
        return Err("brackets are nested too deeply".to_owned());
    }
    let mut selectors = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(inside) = rest.strip_prefix("[?(") {
            let (filter, behind) = filter(inside, depth)?;
            selectors.push(filter);
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("..") {
            if selectors.last() == Some(&Selector::Descent) {
                return Err("there are two `..` in a row".to_owned());
            }
            selectors.push(Selector::Descent);
            let named = behind.starts_with(|letter: char| letter == '_' || letter.is_alphanumeric());
            rest = if named {
                field(behind, &mut selectors)?
            } else {
                behind
            };
        } else {
            let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
            rest = match letter {
                ' ' | '@' | '$' => behind,
                '.' => field(behind, &mut selectors)?,
                '[' => brackets(behind, depth, &mut selectors)?,
                _ => return Err(format!("`{letter}` is not allowed here")),
            };
        }
    }
    Ok(selectors)
}

/// Parses a name up to the next character that ends it. A backslash lets the character behind it be part of the name.
fn field<'a>(text: &'a str, selectors: &mut Vec<Selector>) -> Result<&'a str, Refusal> {
    let mut name = String::new();
    let mut letters = text.chars();
    loop {
        let rest = letters.as_str();
        match letters.next() {
            Some('\\') => name.push(letters.next().ok_or("a character is missing after `\\`")?),
            Some(' ' | '\t' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}') | None => {
                if name.is_empty() {
                    return Err("a name is missing after `.`".to_owned());
                }
                selectors.push(if name == "*" {
                    Selector::Wildcard
                } else {
                    Selector::Field(name)
                });
                return Ok(rest);
            }
            Some(letter) => name.push(letter),
        }
    }
}

/// Returns the content of brackets: a quoted name, an index, a slice, `*`, or several of these with commas.
fn brackets<'a>(text: &'a str, depth: usize, selectors: &mut Vec<Selector>) -> Result<&'a str, Refusal> {
    let Some((inside, behind)) = text.split_once(']') else {
        return Err("a `[` is never closed".to_owned());
    };
    if inside.contains(',') {
        let ways: Result<_, _> = inside
            .split(',')
            .map(|part| action(&format!("[{}]", part.trim_matches(' ')), depth + 1))
            .collect();
        selectors.push(Selector::Union(ways?));
    } else if inside == "*" {
        selectors.push(Selector::Items);
    } else if let Some(name) = quoted(inside) {
        // A quoted name is read as a path again, so dots in it still need a backslash.
        selectors.extend(action(&format!(".{name}"), depth + 1)?);
    } else if is_slice(inside) {
        selectors.push(Selector::Items);
    } else {
        return Err(format!(
            "`[{inside}]` is neither an index nor a name in single quotes"
        ));
    }
    Ok(behind)
}

fn quoted(text: &str) -> Option<&str> {
    let name = text.strip_prefix('\'')?.strip_suffix('\'')?;
    (!name.contains('\'')).then_some(name)
}

/// Returns whether a text is up to three numbers between colons, each of which may be missing.
fn is_slice(text: &str) -> bool {
    let is_number = |part: &str| {
        let digits = part.strip_prefix('-').unwrap_or(part);
        part.is_empty()
            || (!digits.is_empty() && digits.len() <= 18 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    text.split(':').count() <= 3 && text.split(':').all(is_number)
}

/// Parses `[?(@.type=="Ready")]`: a path and perhaps a comparison with another path or a literal.
fn filter(text: &str, depth: usize) -> Result<(Selector, &str), Refusal> {
    let Some((inside, behind)) = split_filter(text) else {
        return Err("a filter is never closed: `)]` is missing".to_owned());
    };
    let is_operator = |letter: char| matches!(letter, '!' | '<' | '>' | '=');
    let mut paths = Vec::new();
    match inside.find(is_operator).filter(|start| *start > 0) {
        None => paths.push(action(inside.trim(), depth + 1)?),
        Some(start) => {
            let (left, comparison) = inside.split_at_checked(start).unwrap_or((inside, ""));
            let right = comparison.trim_start_matches(is_operator);
            let operator = comparison
                .get(..comparison.len() - right.len())
                .unwrap_or_default();
            if !matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=") {
                return Err(format!("`{operator}` is not a comparison operator"));
            }
            for side in [left.trim(), right.trim()] {
                if !is_literal(side)? {
                    paths.push(action(side, depth + 1)?);
                }
            }
        }
    }
    Ok((Selector::Filter(paths), behind))
}

/// Finds the `)]` behind a filter; parentheses in quotes do not count.
fn split_filter(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    let mut before = '\0';
    for (offset, letter) in text.char_indices() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(open)) if letter == open && before != '\\' => quote = None,
            (')', None) => return Some((text.get(..offset)?, text.get(offset..)?.strip_prefix(")]")?)),
            _ => {}
        }
        before = letter;
    }
    None
}

/// Returns whether one side of a comparison is a string, a number or a boolean.
fn is_literal(text: &str) -> Result<bool, Refusal> {
    if text.is_empty() {
        return Err("one side of a comparison is missing".to_owned());
    }
    if let Some(quote @ ('"' | '\'')) = text.chars().next() {
        if text.len() < 2 || !text.ends_with(quote) {
            return Err(format!("{text} is never closed"));
        }
        return Ok(true);
    }
    Ok(matches!(text, "true" | "false") || text.parse::<f64>().is_ok())
}
