//! Numbers with check digits: books and credit cards.

/// Returns whether a string is an ISBN of ten digits. White space and dashes do not matter.
pub(super) fn is_isbn10(text: &str) -> bool {
    let digits = without_separators(text);
    let (front, last) = digits.split_at_checked(9).unwrap_or(("", ""));
    let last = match last {
        "X" => 10,
        last => match one_digit(last) {
            Some(last) => last,
            None => return false,
        },
    };
    let sum: Option<u32> = front
        .bytes()
        .zip(1..)
        .map(|(byte, weight)| Some(digit(byte)? * weight))
        .sum();
    front.len() == 9 && sum.is_some_and(|sum| (sum + 10 * last) % 11 == 0)
}

/// Returns whether a string is an ISBN of thirteen digits. White space and dashes do not matter.
pub(super) fn is_isbn13(text: &str) -> bool {
    let digits = without_separators(text);
    let weights = [1, 3].into_iter().cycle();
    let sum: Option<u32> = digits
        .bytes()
        .zip(weights)
        .map(|(byte, weight)| Some(digit(byte)? * weight))
        .sum();
    digits.len() == 13 && sum.is_some_and(|sum| sum.is_multiple_of(10))
}

/// Returns whether a string is the number of a credit card. Only the digits matter.
pub(super) fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| digits.starts_with(prefix));
    let third_is = |first: &str, range: std::ops::RangeInclusive<u8>| {
        digits.starts_with(first) && digits.as_bytes().get(2).is_some_and(|byte| range.contains(byte))
    };
    let is_known = match digits.len() {
        13 => begins(&["4"]),
        14 => third_is("30", b'0'..=b'5') || begins(&["36", "38"]),
        15 => begins(&["34", "37", "2131", "1800"]),
        16 => begins(&["4", "51", "52", "53", "54", "55", "6011", "65", "35"]),
        _ => false,
    };
    let doubled = |value: u32| {
        if value * 2 >= 10 {
            value * 2 % 10 + 1
        } else {
            value * 2
        }
    };
    let digits = digits.bytes().rev().filter_map(digit);
    let sum: u32 = digits
        .enumerate()
        .map(|(place, value)| if place % 2 == 1 { doubled(value) } else { value })
        .sum();
    is_known && sum.is_multiple_of(10)
}

fn without_separators(text: &str) -> String {
    let is_separator = |letter: char| matches!(letter, '-' | ' ' | '\t' | '\n' | '\r' | '\u{C}');
    text.chars().filter(|letter| !is_separator(*letter)).collect()
}

fn digit(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(10)
}

fn one_digit(text: &str) -> Option<u32> {
    match text.as_bytes() {
        [byte] => digit(*byte),
        _ => None,
    }
}
