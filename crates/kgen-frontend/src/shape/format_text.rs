//! The text that `format!` makes of a pattern with plain holes.

/// Fills each hole of the pattern with what `fill` gives for the text between its braces, which is empty for `{}`.
pub(super) fn filled<E>(pattern: &str, mut fill: impl FnMut(&str) -> Result<String, E>) -> Result<String, E> {
    let mut text = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('{', Some('{')) | ('}', Some('}')) => {
                letters.next();
                text.push(letter);
            }
            ('{', _) => {
                let hole: String = letters.by_ref().take_while(|letter| *letter != '}').collect();
                text.push_str(&fill(&hole)?);
            }
            _ => text.push(letter),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_and_braces_stay() {
        let upper = |hole: &str| match hole {
            "bad" => Err(()),
            hole => Ok(format!("<{hole}>")),
        };
        assert_eq!(filled("a {} {{b}} {c}", upper), Ok("a <> {b} <c>".to_owned()));
        assert_eq!(filled("{bad}", upper), Err(()));
        assert_eq!(filled("{open", upper), Ok("<open>".to_owned()));
    }
}
