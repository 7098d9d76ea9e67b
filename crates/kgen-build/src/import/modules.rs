//! Module files that several imports, or an import and the user, share.

/// Returns the existing text of a module file with the lines of the new one that it lacks.
pub(super) fn merged(old: &str, new: &str) -> String {
    let is_declaration = |line: &str| {
        let line = line.trim_start_matches("pub ");
        line.starts_with("mod ") || line.starts_with("use ")
    };
    let known: Vec<&str> = old.lines().map(str::trim).collect();
    let missing: Vec<&str> = new
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("// ") && !known.contains(line))
        .collect();
    if missing.is_empty() {
        return old.to_owned();
    }
    let mut lines: Vec<&str> = old.lines().collect();
    for line in missing {
        // Beside its kind, in the order of the alphabet.
        let word = line.split(' ').next().unwrap_or_default();
        let is_kin = |other: &&str| {
            is_declaration(other)
                && other.starts_with(word)
                && other.starts_with("pub use") == line.starts_with("pub use")
        };
        let place = if is_declaration(line) {
            let after = lines.iter().rposition(|other| is_kin(other) && *other < line);
            let before = lines.iter().position(is_kin);
            after.map(|after| after + 1).or(before)
        } else {
            // A marker of the module comes before everything except the first comment.
            lines
                .iter()
                .position(|other| !other.starts_with("// ") && !other.is_empty())
        };
        lines.insert(place.unwrap_or(lines.len()), line);
    }
    lines.join("\n") + "\n"
}

/// Returns a text with the first line of another one, which counts the sources.
pub(super) fn with_first_line(text: &str, other: &str) -> String {
    match (text.split_once('\n'), other.split_once('\n')) {
        (Some((_, rest)), Some((first, _))) => format!("{first}\n{rest}"),
        _ => text.to_owned(),
    }
}

/// Returns the text of a module file without the declarations of some modules.
pub(super) fn without(text: &str, modules: &[String]) -> String {
    if modules.is_empty() {
        return text.to_owned();
    }
    let is_gone = |line: &str| {
        let line = line.trim();
        modules.iter().any(|module| {
            line == format!("mod {module};")
                || line == format!("pub mod {module};")
                || line == format!("pub use {module}::*;")
        })
    };
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !is_gone(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_removed_modules_are_removed() {
        let old = "// Mine.\n\nmod a;\nmod b;\n\npub use a::*;\npub use b::*;\n\nfn own() {}\n";
        assert_eq!(
            without(old, &["b".to_owned()]),
            "// Mine.\n\nmod a;\n\npub use a::*;\n\nfn own() {}\n"
        );
        assert_eq!(without(old, &[]), old);
        assert_eq!(without("pub mod v1;\n", &["v1".to_owned()]), "");
    }

    #[test]
    fn lines_are_only_added() {
        let old = "// Mine.\n\nmod a;\nmod c;\n\npub use a::*;\npub use c::*;\n\nfn own() {}\n";
        let new = "// Imported by kgen from x.\n\nmod b;\n\npub use b::*;\n";
        assert_eq!(
            merged(old, new),
            "// Mine.\n\nmod a;\nmod b;\nmod c;\n\npub use a::*;\npub use b::*;\npub use c::*;\n\nfn own() {}\n"
        );
        assert_eq!(merged(old, old), old);
        assert_eq!(merged("pub mod b;\n", "pub mod a;\n"), "pub mod a;\npub mod b;\n");
        assert_eq!(
            merged("", "//! +groupName=a\n\npub mod v1;\n"),
            "//! +groupName=a\npub mod v1;\n"
        );
    }
}
