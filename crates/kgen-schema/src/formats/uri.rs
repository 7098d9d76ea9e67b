//! URIs as `url.ParseRequestURI` of Go reads them.

/// Returns whether a string is an absolute path, or anything after a scheme.
pub(super) fn is_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    if text == "*" {
        return true;
    }
    let Some((scheme, rest)) = split_scheme(text) else {
        return false;
    };
    let rest = rest.split('?').next().unwrap_or_default();
    if !rest.starts_with('/') {
        // The rest is not read any further.
        return !scheme.is_empty();
    }
    match rest.strip_prefix("//") {
        Some(rest) if !scheme.is_empty() => {
            let (authority, path) = rest
                .split_at_checked(rest.find('/').unwrap_or(rest.len()))
                .unwrap_or((rest, ""));
            is_authority(authority) && escapes_are_whole(path)
        }
        _ => escapes_are_whole(rest),
    }
}

/// Splits a scheme from the rest. The scheme is empty if there is none; a colon at the start is an error.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    for (place, letter) in text.char_indices() {
        match letter {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if place > 0 => {}
            ':' if place == 0 => return None,
            ':' => return Some((text.get(..place)?, text.get(place + 1..)?)),
            _ => return Some(("", text)),
        }
    }
    Some(("", text))
}

fn is_authority(authority: &str) -> bool {
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let is_user_letter =
        |letter: char| letter.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(letter);
    user.is_none_or(|user| user.chars().all(is_user_letter) && escapes_are_whole(user)) && is_host(host)
}

fn is_host(host: &str) -> bool {
    let port = if host.starts_with('[') {
        match host.rfind(']') {
            Some(end) => host.get(end + 1..).unwrap_or_default(),
            None => return false,
        }
    } else {
        host.rfind(':')
            .and_then(|colon| host.get(colon..))
            .unwrap_or_default()
    };
    let is_port = match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => port.is_empty(),
    };
    let is_letter = |letter: char| {
        letter.is_ascii_alphanumeric() || !letter.is_ascii() || "-_.~!$&'()*+,;=:[]<>\"%".contains(letter)
    };
    is_port && host.chars().all(is_letter) && escapes_are_whole(host)
}

/// Returns whether two digits follow every `%`.
fn escapes_are_whole(text: &str) -> bool {
    text.split('%').skip(1).all(|part| {
        let digits = part.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}
