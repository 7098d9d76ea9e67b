//! From the layout of prettyplease to that of rustfmt, for the sorts of lines that generated code has.
//!
//! prettyplease prints no empty lines between items, and breaks lines at 89 letters where rustfmt breaks them at 100.
//! What it broke too early is joined again; what rustfmt would break in another place is broken there.

/// Longest line that rustfmt leaves.
const WIDTH: usize = 100;

/// Longest list of arguments that rustfmt leaves in one line.
const CALL_WIDTH: usize = 60;

/// Puts an empty line between the members of an `impl`, but for types that stand together.
pub(super) fn spread(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    // The last line that belongs to the `impl` itself.
    let mut last = "";
    for line in text.lines() {
        let is_member = line
            .strip_prefix("    ")
            .is_some_and(|rest| !rest.starts_with(' '));
        if is_member {
            let ended = last.ends_with('}') || last.ends_with(';');
            let is_type = |line: &str| line.trim_start().starts_with("type ");
            if ended && line.trim() != "}" && !(is_type(last) && is_type(line)) {
                result.push('\n');
            }
            last = line;
        }
        result.push_str(line);
        result.push('\n');
    }
    result
}

/// Where the line of the return type is nearly full, rustfmt puts the brace below it.
fn brace_below(signature: String) -> String {
    let Some(rest) = signature.strip_suffix(" {") else {
        return signature;
    };
    let last = rest.lines().next_back().unwrap_or_default();
    let is_nearly_full = (WIDTH - 5..WIDTH).contains(&last.len());
    if is_nearly_full && last.trim_start().starts_with(')') {
        let indent = last.len() - last.trim_start().len();
        format!("{rest}\n{}{{", " ".repeat(indent))
    } else {
        signature
    }
}

/// Gives lines the width that rustfmt gives them.
pub(super) fn widen(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut result = String::with_capacity(text.len());
    let mut rest = lines.as_slice();
    while let [first, behind @ ..] = rest {
        let (taken, text) = if is_signature(first) {
            signature(rest)
        } else if first.starts_with("impl") && behind.first().is_some_and(|next| next.starts_with("for ")) {
            (2, join(rest.get(..2).unwrap_or_default()))
        } else {
            bracketed(rest)
        };
        // A line that would be too long stays as it was.
        result.push_str(&text);
        result.push('\n');
        rest = rest.get(taken.max(1)..).unwrap_or_default();
    }
    result
}

fn is_signature(line: &str) -> bool {
    let line = line.trim_start();
    ["fn ", "pub fn ", "pub(super) fn ", "pub async fn "]
        .iter()
        .any(|start| line.starts_with(start))
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Lines as one: no blank behind an opening bracket, none and no comma before a closing one.
fn join(lines: &[&str]) -> String {
    let mut joined = String::new();
    for line in lines {
        let part = if joined.is_empty() {
            line.trim_end()
        } else {
            line.trim()
        };
        if part.starts_with([')', '>', ']']) && joined.ends_with(',') {
            joined.pop();
        } else if !joined.is_empty()
            && !joined.ends_with(['(', '<', '['])
            && !part.starts_with([')', '>', ']'])
        {
            joined.push(' ');
        }
        joined.push_str(part);
    }
    joined
}

/// The signature that starts here: how many lines it takes, and how it should look.
fn signature(lines: &[&str]) -> (usize, String) {
    let ends = |line: &&str| line.ends_with('{') || line.ends_with(';') || line.ends_with("{}");
    let is_where = |line: &&str| line.trim() == "where";
    let count = lines
        .iter()
        .position(|line| ends(line) || is_where(line))
        .map_or(lines.len(), |index| {
            let with_where = lines.get(index).is_some_and(is_where);
            if with_where { index } else { index + 1 }
        });
    let joined = join(lines.get(..count).unwrap_or_default());
    let text = if joined.len() <= WIDTH {
        joined
    } else {
        brace_below(one_parameter_a_line(&joined).unwrap_or(joined))
    };
    (count, text)
}

/// A signature with its parameters below each other.
fn one_parameter_a_line(signature: &str) -> Option<String> {
    let open = opening(signature)?;
    let (start, rest) = signature.split_at_checked(open + 1)?;
    let mut depth = 0_usize;
    let mut parameters = Vec::new();
    let mut begin = 0;
    let mut before = ' ';
    for (index, letter) in rest.char_indices() {
        match letter {
            '(' | '<' | '[' => depth += 1,
            // The arrow is no bracket.
            '>' if before == '-' => {}
            ')' | '>' | ']' if depth > 0 => depth -= 1,
            ')' => {
                parameters.push(rest.get(begin..index)?.trim());
                let indent = " ".repeat(indent_of(signature));
                let inner: String = parameters
                    .iter()
                    .filter(|parameter| !parameter.is_empty())
                    .map(|parameter| format!("{indent}    {parameter},\n"))
                    .collect();
                return Some(format!("{start}\n{inner}{indent}{}", rest.get(index..)?));
            }
            ',' if depth == 0 => {
                parameters.push(rest.get(begin..index)?.trim());
                begin = index + 1;
            }
            _ => {}
        }
        before = letter;
    }
    None
}

/// The bracket that opens the parameters: the first one outside of the type parameters.
fn opening(signature: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let name = signature.find("fn ")?;
    for (index, letter) in signature.char_indices().skip_while(|(index, _)| *index < name) {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => return Some(index),
            _ => {}
        }
    }
    None
}

/// A call or a type that is broken at its outermost bracket, joined if rustfmt would not break it.
fn bracketed(lines: &[&str]) -> (usize, String) {
    let Some(first) = lines.first().copied() else {
        return (1, String::new());
    };
    let close = match first.chars().last() {
        Some('(') => ')',
        Some('<') => '>',
        _ => return (1, first.to_owned()),
    };
    let indent = indent_of(first);
    let end = lines
        .iter()
        .skip(1)
        .position(|line| indent_of(line) == indent && line.trim_start().starts_with(close));
    let Some(inside) = end.and_then(|end| lines.get(1..=end)) else {
        return (1, first.to_owned());
    };
    let count = inside.len() + 2;
    let joined = join(lines.get(..count).unwrap_or_default());
    let arguments = join(inside).trim().trim_end_matches(',').len();
    let fits = joined.len() <= WIDTH && (close == '>' || arguments <= CALL_WIDTH);
    // What is inside may itself be joined only if the whole cannot.
    if fits
        && !inside
            .iter()
            .any(|line| line.contains('"') || line.contains("//"))
    {
        (count, joined)
    } else {
        (1, first.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_broken_where_rustfmt_breaks_them() {
        let long = "    pub async fn list(&self, params: &ListParams) -> Result<\n        \
                    ObjectList<AKindWithANameThatIsRatherLong>,\n    > {\n";
        assert_eq!(
            widen(long),
            "    pub async fn list(\n        &self,\n        params: &ListParams,\n    \
             ) -> Result<ObjectList<AKindWithANameThatIsRatherLong>> {\n"
        );
        let short = "    pub fn by_index(&self, index: &str, value: &str) -> Result<\n        \
                     Vec<Arc<SomeKindOrOther>>,\n    > {\n";
        assert_eq!(
            widen(short),
            "    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<SomeKindOrOther>>> {\n"
        );
        let mixed = "    pub fn hours(\n        mut self,\n        values: impl IntoIterator<Item = (String, Hours)>,\n    \
                     ) -> Self {\n";
        assert_eq!(
            widen(mixed),
            "    pub fn hours(mut self, values: impl IntoIterator<Item = (String, Hours)>) -> Self {\n"
        );
    }

    #[test]
    fn calls_and_headings_are_joined() {
        assert_eq!(
            widen("        Foos::new(\n            &self.0,\n            namespace,\n        )\n"),
            "        Foos::new(&self.0, namespace)\n"
        );
        assert_eq!(widen("impl A\nfor B {\n"), "impl A for B {\n");
        assert_eq!(
            widen("        A: X<\n            Object = Y,\n        >,\n"),
            "        A: X<Object = Y>,\n"
        );
    }

    #[test]
    fn members_of_an_impl_are_parted() {
        assert_eq!(
            spread(
                "impl A {\n    type B = C;\n    type D = E;\n    fn f() {}\n    /// G.\n    fn g() {\n        h();\n    }\n}\n"
            ),
            "impl A {\n    type B = C;\n    type D = E;\n\n    fn f() {}\n\n    /// G.\n    fn g() {\n        h();\n    }\n}\n"
        );
    }
}
