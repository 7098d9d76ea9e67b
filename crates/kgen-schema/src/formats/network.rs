//! Addresses and names of networks.

use std::net::Ipv6Addr;

/// Returns whether a text is four numbers; leading zeros are tolerated. A version 6 address that ends in one counts
/// too.
pub(super) fn is_ipv4(text: &str) -> bool {
    is_dotted_quad(text) || (text.contains('.') && text.parse::<Ipv6Addr>().is_ok())
}

fn is_dotted_quad(text: &str) -> bool {
    let is_byte = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        digits
            && part.trim_start_matches('0').len() <= 3
            && part.parse::<u64>().is_ok_and(|value| value <= 255)
    };
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// Returns an address, a slash and how many of its bits name the network.
pub(super) fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else {
        return false;
    };
    let most = match (is_dotted_quad(address), is_ipv6(address)) {
        (true, _) => 32,
        (_, true) => 128,
        _ => return false,
    };
    let digits = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit());
    digits && bits.parse::<u32>().is_ok_and(|bits| bits <= most)
}

/// Returns whether a text is six, eight or twenty bytes, in pairs between `:` or `-`, or in fours between dots.
pub(super) fn is_hardware_address(text: &str) -> bool {
    let is_list = |separator: char, width: usize, counts: &[usize]| {
        let is_part = |part: &str| part.len() == width && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        counts.contains(&text.split(separator).count()) && text.split(separator).all(is_part)
    };
    is_list(':', 2, &[6, 8, 20]) || is_list('-', 2, &[6, 8, 20]) || is_list('.', 4, &[3, 4, 10])
}

/// Returns a single label with at most one dash behind its first character, or several labels and a domain of
/// letters.
///
/// Strange, but this is what the pattern of the API server says. Any character beyond ASCII is taken for a letter.
pub(super) fn is_hostname(text: &str) -> bool {
    let is_inner =
        |letter: char| letter.is_ascii_alphanumeric() || "$+<=>^`|~".contains(letter) || !letter.is_ascii();
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || !letter.is_ascii();
    if text.len() > 255 || text.split('.').any(|label| label.len() > 63) {
        return false;
    }
    let labels: Vec<_> = text.split('.').collect();
    let [labels @ .., last] = labels.as_slice() else {
        return false;
    };
    if labels.is_empty() {
        let mut letters = last.chars();
        let first = letters.next().is_some_and(is_inner);
        let rest = letters.as_str();
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        return first && rest.chars().all(is_inner);
    }
    let is_label = |label: &&str| {
        label.starts_with(is_inner)
            && label.ends_with(is_inner)
            && label.chars().all(|letter| letter == '-' || is_inner(letter))
    };
    labels.iter().all(is_label) && last.chars().count() >= 2 && last.chars().all(is_letter)
}
