//! Finds matching brackets in a line of Rust, outside of strings.

/// Returns the byte offsets of a line that are outside all brackets, with the characters at these offsets. Angle
/// brackets count only if `angles` is set, because they are also operators.
pub(super) fn outside(text: &str, angles: bool) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut before = ' ';
    for (index, letter) in text.char_indices() {
        if in_string {
            match letter {
                '"' if before != '\\' => in_string = false,
                // The second of two backslashes is not an escape.
                '\\' if before == '\\' => {
                    before = ' ';
                    continue;
                }
                _ => {}
            }
        } else {
            let closes = matches!(letter, ')' | ']' | '}') || (angles && letter == '>' && before != '-');
            if closes {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                found.push((index, letter));
            }
            if matches!(letter, '(' | '[' | '{') || (angles && letter == '<') {
                depth += 1;
            }
            in_string = letter == '"';
        }
        before = letter;
    }
    found
}

/// Returns the parts of a list, such as the arguments of a call.
pub(super) fn list(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for (index, letter) in outside(text, true) {
        if letter == ',' {
            parts.push(text.get(begin..index).unwrap_or_default().trim());
            begin = index + 1;
        }
    }
    parts.push(text.get(begin..).unwrap_or_default().trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the text before the first bracket, in it, and after it.
pub(super) fn first(text: &str, open: char, close: char) -> Option<(&str, &str, &str)> {
    let angles = open == '<';
    let marks = outside(text, angles);
    let position = marks.iter().position(|(_, letter)| *letter == open)?;
    let (start, _) = *marks.get(position)?;
    let (end, _) = *marks
        .get(position + 1..)?
        .iter()
        .find(|(_, letter)| *letter == close)?;
    Some((
        text.get(..start)?,
        text.get(start + 1..end)?,
        text.get(end + 1..)?,
    ))
}

/// Returns how many brackets are open at the end of a line. Angle brackets count only at the ends of lines.
pub(super) fn open_at_end(text: &str) -> isize {
    let mut depth = 0;
    let mut in_string = false;
    let mut before = ' ';
    for letter in text.chars() {
        match letter {
            '"' if !(in_string && before == '\\') => in_string = !in_string,
            '(' | '[' if !in_string => depth += 1,
            ')' | ']' if !in_string => depth -= 1,
            _ => {}
        }
        before = letter;
    }
    let trimmed = text.trim();
    depth + isize::from(trimmed.ends_with('<')) - isize::from(trimmed.starts_with('>'))
}
