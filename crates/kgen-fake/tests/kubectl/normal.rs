//! Removes the parts of kubectl's output that differ between two servers, or between two runs.

/// Returns the output of a command without ages, times, UIDs, versions and addresses.
pub fn text(command: &str, output: &str) -> String {
    let is_explanation = command.starts_with("explain deployment");
    let mut lines = Vec::new();
    for line in output.lines() {
        // The names of temporary files have random parts, and the file has times.
        if line.starts_with("diff -u") || line.starts_with("--- ") || line.starts_with("+++ ") {
            continue;
        }
        let words: Vec<String> = line
            .split(' ')
            .map(word)
            .filter(|word| !word.is_empty())
            .collect();
        lines.push(words.join(" "));
    }
    if is_explanation {
        // The fake has no descriptions of built-in kinds.
        lines.retain(|line| line.contains('\t') || line.starts_with("FIELD") || line.starts_with("KIND"));
    }
    lines.join("\n")
}

fn word(word: &str) -> String {
    let bare = word.trim_matches(['"', ',', '\'', '(', ')', ':']);
    if bare.is_empty() {
        return word.to_owned();
    }
    let shown = if is_age(bare) {
        "<age>"
    } else if is_uid(bare) {
        "<uid>"
    } else if is_time(bare) {
        "<time>"
    } else if bare.len() > 1 && bare.bytes().all(|byte| byte.is_ascii_digit()) {
        "<number>"
    } else {
        return word.to_owned();
    };
    word.replace(bare, shown)
}

/// Returns whether a word is an age, such as `5s` or `2m10s`.
fn is_age(word: &str) -> bool {
    let is_unit = |byte: u8| matches!(byte, b's' | b'm' | b'h');
    word.bytes().all(|byte| byte.is_ascii_digit() || is_unit(byte))
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().last().is_some_and(is_unit)
}

fn is_uid(word: &str) -> bool {
    let groups: Vec<usize> = word.split('-').map(str::len).collect();
    groups == [8, 4, 4, 4, 12] && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Returns whether a word is a time, such as `2026-01-02T03:04:05Z`.
fn is_time(word: &str) -> bool {
    word.len() == 20 && word.ends_with('Z') && word.as_bytes().get(10) == Some(&b'T')
}
