//! Addresses of electronic mail as `mail.ParseAddress` of Go reads them.
//!
//! Quotes, comments, groups and encoded words are not read: a string that contains their characters can be an address.

/// Returns whether a string can be an address, perhaps after a name: `a@example.com` or `A <a@example.com>`.
pub(super) fn may_be_email(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    if text.contains(['"', '(', ':', '[', '\\']) || text.contains("=?") {
        return text.contains('@');
    }
    if is_address(text) {
        return true;
    }
    let Some((name, address)) = text.split_once('<') else {
        return false;
    };
    let is_word = |word: &str| word.chars().all(|letter| letter == '.' || is_atom_letter(letter));
    let mut words = name.split([' ', '\t']).filter(|word| !word.is_empty());
    words.all(is_word) && address.strip_suffix('>').is_some_and(is_address)
}

fn is_address(text: &str) -> bool {
    let is_atoms = |text: &str| {
        text.split('.')
            .all(|atom| !atom.is_empty() && atom.chars().all(is_atom_letter))
    };
    text.split_once('@')
        .is_some_and(|(local, domain)| is_atoms(local) && is_atoms(domain))
}

fn is_atom_letter(letter: char) -> bool {
    !letter.is_ascii() || letter.is_ascii_graphic() && !"()<>[]:;@\\,\".".contains(letter)
}
