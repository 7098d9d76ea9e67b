//! Strings that only some values are valid for: a pattern accepts everything that the type serializes, and nothing that
//! it cannot deserialize.
//!
//! The formats of the API server differ. Its `ipv4` accepts `010.0.0.1`, which Rust refuses, and a string with any
//! format may even be a list there.

use kgen_model::{Constraints, JsonType, Schema};

/// A number of one byte in decimal digits, without leading zeros.
const OCTET: &str = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

/// Four hexadecimal digits or fewer.
const GROUP: &str = "[0-9a-fA-F]{1,4}";

fn matching(pattern: String) -> Schema {
    let constraints = Constraints {
        pattern: Some(format!("^{pattern}$")),
        ..Constraints::default()
    };
    Schema {
        constraints: constraints.into(),
        ..Schema::of_type(JsonType::String)
    }
}

/// Returns the pattern of addresses such as `127.0.0.1`.
fn version_4() -> String {
    format!("({OCTET}\\.){{3}}{OCTET}")
}

/// Returns the pattern of `::1`: eight groups, or fewer with one gap. The last two may be an address of version 4.
fn version_6() -> String {
    let mut forms = vec![format!("({GROUP}:){{7}}{GROUP}"), format!("({GROUP}:){{1,7}}:")];
    for before in 1..=6 {
        forms.push(format!("({GROUP}:){{1,{before}}}(:{GROUP}){{1,{}}}", 7 - before));
    }
    forms.push(format!(":((:{GROUP}){{1,7}}|:)"));
    let mut heads = vec![format!("({GROUP}:){{6}}"), format!("::({GROUP}:){{0,5}}")];
    for before in 1..=5 {
        heads.push(format!("({GROUP}:){{{before}}}:({GROUP}:){{0,{}}}", 5 - before));
    }
    forms.push(format!("({}){}", heads.join("|"), version_4()));
    format!("({})", forms.join("|"))
}

fn port() -> String {
    up_to(u16::MAX.into())
}

fn socket_version_4() -> String {
    format!("{}:{}", version_4(), port())
}

fn socket_version_6() -> String {
    format!("\\[{}(%{})?\\]:{}", version_6(), up_to(u32::MAX.into()), port())
}

/// Returns the decimal numbers from zero to `most`, without leading zeros.
fn up_to(most: u64) -> String {
    let digits = most.to_string();
    let mut forms = Vec::new();
    for (index, digit) in digits.bytes().enumerate() {
        let rest = digits.len() - index - 1;
        let first = if index == 0 && rest > 0 { b'1' } else { b'0' };
        if digit > first {
            let same = digits.get(..index).unwrap_or_default();
            let (first, last) = (char::from(first), char::from(digit - 1));
            let any = if rest == 0 {
                String::new()
            } else {
                format!("[0-9]{{{rest}}}")
            };
            forms.push(format!("{same}[{first}-{last}]{any}"));
        }
    }
    forms.push(digits.clone());
    match digits.len() {
        1 => {}
        2 => forms.push("[0-9]".to_owned()),
        3 => forms.push("[1-9]?[0-9]".to_owned()),
        length => forms.push(format!("[1-9]?[0-9]|[1-9][0-9]{{2,{}}}", length - 2)),
    }
    format!("({})", forms.join("|"))
}

/// The days that exist, of years with four digits.
const DAY: &str = "(\
    [0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|\
    ([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)";

const CLOCK: &str = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?";

pub(super) fn address() -> Schema {
    matching(format!("({}|{})", version_4(), version_6()))
}

pub(super) fn address_version_4() -> Schema {
    matching(version_4())
}

pub(super) fn address_version_6() -> Schema {
    matching(version_6())
}

pub(super) fn socket() -> Schema {
    matching(format!("({}|{})", socket_version_4(), socket_version_6()))
}

pub(super) fn socket_of_version_4() -> Schema {
    matching(socket_version_4())
}

pub(super) fn socket_of_version_6() -> Schema {
    matching(socket_version_6())
}

/// Describes `12:30:00`, as jiff writes the time of a day.
pub(super) fn clock() -> Schema {
    matching(CLOCK.to_owned())
}

/// Describes `2024-02-29T12:30:00`, as jiff writes a date and time without a zone.
pub(super) fn day_and_clock() -> Schema {
    matching(format!("{DAY}T{CLOCK}"))
}

/// Describes `PT2H30M`, as jiff writes a duration. The longest one has 2,562,047,788,015,215 hours, 30 minutes and 7
/// seconds.
pub(super) fn signed_duration() -> Schema {
    let below_sixty = "[1-5]?[0-9]";
    let seconds = format!("{below_sixty}(\\.[0-9]{{1,9}})?S");
    let minutes = format!("{below_sixty}M({seconds})?");
    let hours = format!("{}H({minutes}|{seconds})?", up_to(2_562_047_788_015_214));
    let longest =
        format!("2562047788015215H([12]?[0-9]M({seconds})?|30M([0-7](\\.[0-9]{{1,9}})?S)?|{seconds})?");
    let shortest = "-PT2562047788015215H30M8(\\.[0-9]{1,9})?S";
    matching(format!(
        "({shortest}|-?PT({longest}|{hours}|{minutes}|{seconds}))"
    ))
}

#[cfg(test)]
mod tests;
