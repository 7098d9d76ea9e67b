//! Names of Rust items from names in JSON: words, cases, singulars.

/// Splits a name into words in lower case. Acronyms and their plurals are one word: `podIPs` has `pod` and `ips`.
pub(crate) fn words(name: &str) -> Vec<String> {
    // The one acronym with a small letter inside.
    let letters: Vec<char> = name.replace("IPv", "Ipv").chars().map(plain).collect();
    let mut words: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut finish = |current: &mut String| {
        if !current.is_empty() {
            words.push(std::mem::take(current));
        }
    };
    let mut index = 0;
    while let Some(letter) = letters.get(index).copied() {
        if !letter.is_alphanumeric() {
            finish(&mut current);
        } else if letter.is_uppercase() {
            let before_is_upper = index
                .checked_sub(1)
                .and_then(|before| letters.get(before))
                .is_some_and(|before| before.is_uppercase());
            let run = letters
                .get(index..)
                .unwrap_or_default()
                .iter()
                .take_while(|letter| letter.is_uppercase())
                .count();
            if !before_is_upper || run == 1 && !ends_acronym(&letters, index) {
                finish(&mut current);
            }
            current.extend(letter.to_lowercase());
        } else {
            current.extend(letter.to_lowercase());
        }
        index += 1;
    }
    finish(&mut current);
    words
}

/// Returns a letter as an identifier has it: a blank, which separates words, for one that Rust refuses or warns about.
fn plain(letter: char) -> char {
    match letter {
        _ if letter.is_ascii() => letter,
        '\u{b5}' | '\u{3bc}' => 'u',
        '\u{b2}' => '2',
        '\u{b3}' => '3',
        '\u{b9}' => '1',
        // These are not in Unicode's profile for identifiers, or look like others.
        '\u{d7}'
        | '\u{f7}'
        | '\u{130}'..='\u{133}'
        | '\u{138}'
        | '\u{13f}'
        | '\u{140}'
        | '\u{149}'
        | '\u{17f}' => ' ',
        '\u{c0}'..='\u{17e}'
        | '\u{3041}'..='\u{3096}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => letter,
        _ => ' ',
    }
}

/// Returns whether the capital at `index` is the last one of an acronym: at the end of the name, before another word that
/// starts with a capital or digit, or before the `s` of a plural.
fn ends_acronym(letters: &[char], index: usize) -> bool {
    let next = letters.get(index + 1);
    let behind = letters.get(index + 2);
    match next {
        None => true,
        Some('s') => behind.is_none_or(|behind| behind.is_uppercase() || !behind.is_alphanumeric()),
        Some(next) => !next.is_lowercase(),
    }
}

/// Returns the name in snake case.
pub(crate) fn snake(name: &str) -> String {
    words(name).join("_")
}

/// Returns the name in upper camel case.
pub(crate) fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capitalized(word)).collect()
}

/// Returns the name of a type for a kind or property. A name that is one already is kept, with its acronyms.
pub(crate) fn type_name(name: &str) -> String {
    let is_one = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    if is_one && name != "Self" {
        return name.to_owned();
    }
    let result = pascal(name);
    if result == "Self" {
        "SelfType".to_owned()
    } else if result.is_empty() {
        "Anonymous".to_owned()
    } else if result.starts_with(|first: char| first.is_numeric()) {
        format!("Type{result}")
    } else {
        result
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// Returns the singular of a name in any case, for the items of a list.
pub(crate) fn singular(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let cut = |length: usize| name.get(..name.len() - length).unwrap_or(name);
    for same in [
        "series",
        "status",
        "news",
        "kubernetes",
        "dns",
        "tls",
        "https",
        "alias",
        "canvas",
    ] {
        if lower.ends_with(same) {
            return name.to_owned();
        }
    }
    for (plural, singular) in [
        ("indices", "index"),
        ("vertices", "vertex"),
        ("matrices", "matrix"),
        ("children", "child"),
        ("people", "person"),
        ("criteria", "criterion"),
    ] {
        if let Some(stem) = lower.strip_suffix(plural) {
            return format!("{}{singular}", name.get(..stem.len()).unwrap_or_default());
        }
    }
    if lower.ends_with("ies") && lower.len() > 4 {
        return format!("{}y", cut(3));
    }
    for ending in ["sses", "shes", "ches", "xes", "zzes"] {
        if lower.ends_with(ending) {
            return cut(2).to_owned();
        }
    }
    if lower.ends_with("uses") || lower.ends_with("aliases") {
        return cut(2).to_owned();
    }
    if lower.ends_with('s')
        && !lower.ends_with("ss")
        && !lower.ends_with("us")
        && !lower.ends_with("is")
        && lower.len() > 2
    {
        return cut(1).to_owned();
    }
    name.to_owned()
}

/// Words that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["self", "super", "crate", "Self", "_"];

/// Returns a field name for a JSON name.
pub(crate) fn field(name: &str) -> String {
    let mut result = snake(name);
    result.retain(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter.is_alphanumeric());
    if result.is_empty() {
        return "field".to_owned();
    }
    if result.starts_with(|first: char| first.is_numeric()) {
        result.insert(0, '_');
    }
    if NEVER_RAW.contains(&result.as_str()) {
        return format!("{result}_");
    }
    if kgen_model::rust_names::is_keyword(&result) {
        return format!("r#{result}");
    }
    result
}

/// Returns whether serde can write a name in camel case: only if it begins with a letter of ASCII.
pub(crate) fn has_camel_case(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii())
}

/// Returns a variant name for a value. Operators and the empty string have names of their own.
pub(crate) fn variant(value: &str, enumeration: &str) -> Option<String> {
    let named = match value {
        "" => Some("Empty"),
        "=" | "==" => Some("Equal"),
        "!=" => Some("NotEqual"),
        "=~" => Some("Match"),
        "!~" => Some("NotMatch"),
        "*" => Some("Any"),
        "<" => Some("Less"),
        "<=" => Some("LessOrEqual"),
        ">" => Some("Greater"),
        ">=" => Some("GreaterOrEqual"),
        _ => None,
    };
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let result = pascal(value);
    if result.is_empty() || !result.chars().all(char::is_alphanumeric) {
        return None;
    }
    if result.starts_with(|first: char| first.is_numeric()) {
        return Some(format!("{enumeration}{result}"));
    }
    if result == "Self" {
        return Some("SelfValue".to_owned());
    }
    Some(result)
}

/// Returns the module of a kind.
#[must_use]
pub fn kind_module(kind: &str) -> String {
    module(&snake(kind))
}

/// Returns the module of a group, version or kind.
#[must_use]
pub fn module(name: &str) -> String {
    let mut result: String = name
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    if result.starts_with(|first: char| first.is_ascii_digit()) || result.is_empty() {
        result.insert(0, '_');
    }
    if kgen_model::rust_names::is_keyword(&result) {
        result.push('_');
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_recognize_acronyms_and_their_plurals() {
        for (name, expected) in [
            ("podIPs", "pod_ips"),
            ("ipv4CIDR", "ipv4_cidr"),
            ("URLMap", "url_map"),
            ("type", "r#type"),
            ("self", "self_"),
            ("$ref", "r#ref"),
            ("x-foo", "x_foo"),
            ("@type", "r#type"),
            ("2fa", "_2fa"),
            ("init_containers", "init_containers"),
            ("hostIPC", "host_ipc"),
            ("dnsNames", "dns_names"),
            ("clusterIPsPolicy", "cluster_ips_policy"),
            ("enableIPv6", "enable_ipv6"),
            ("größe", "größe"),
            ("µs", "us"),
            ("m²", "m2"),
            ("½x", "x"),
            ("а", "field"),
            ("😀", "field"),
            ("名前", "名前"),
        ] {
            assert_eq!(field(name), expected, "{name}");
        }
    }

    #[test]
    fn types_are_upper_camel_case() {
        for (name, expected) in [
            ("podIPs", "PodIps"),
            ("secretRef", "SecretRef"),
            ("a-b", "AB"),
            ("HTTPGet", "HttpGet"),
        ] {
            assert_eq!(pascal(name), expected);
        }
    }

    #[test]
    fn items_are_singular() {
        for (name, expected) in [
            ("routes", "route"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("status", "status"),
            ("boxes", "box"),
            ("ingress", "ingress"),
            ("aliases", "alias"),
            ("dnsNames", "dnsName"),
        ] {
            assert_eq!(singular(name), expected);
        }
    }

    #[test]
    fn variants_have_names() {
        for (value, expected) in [
            ("", "Empty"),
            ("=~", "Match"),
            ("in-progress", "InProgress"),
            ("100Mb", "Speed100Mb"),
            ("HTTP/1.1", "Http11"),
            ("µs", "Us"),
        ] {
            assert_eq!(variant(value, "Speed").as_deref(), Some(expected));
        }
        assert_eq!(variant("☃", "Speed"), None);
    }
}
