//! URLs of webhooks, validated like in an API server: with Go's `url.Parse`, and then `https` with a host and without
//! user, query and fragment. Only the relevant parts are parsed.

use std::net::Ipv6Addr;

/// Characters that Go accepts in a host, apart from letters and digits.
const HOST_PUNCTUATION: &str = "-_.~!$&'()*+,;=:[]<>\"";

/// Returns the mistakes in a URL; empty if there are none.
pub(super) fn mistakes(address: &str) -> Vec<&'static str> {
    if address.contains(|letter: char| letter.is_ascii_control()) {
        return vec!["it contains a control character"];
    }
    let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
    let (address, query) = address.split_once('?').unwrap_or((address, ""));
    let mut mistakes = Vec::new();
    match scheme(address) {
        Some((scheme, rest)) => {
            if !scheme.eq_ignore_ascii_case("https") {
                mistakes.push("it does not begin with `https://`");
            }
            check_rest(rest, &mut mistakes);
        }
        None => mistakes.push("it does not begin with `https://`"),
    }
    if !query.is_empty() {
        mistakes.push("it has a query after `?`");
    }
    if !fragment.is_empty() {
        mistakes.push("it has a fragment after `#`");
    }
    mistakes
}

/// Returns the scheme and the text after its colon.
fn scheme(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.');
    let fits = scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.chars().all(inner);
    fits.then_some((scheme, rest))
}

/// Checks the host and the path.
fn check_rest(rest: &str, mistakes: &mut Vec<&'static str>) {
    let authority_and_path = rest.strip_prefix("//").unwrap_or_default();
    let (authority, path) = match authority_and_path.find('/') {
        Some(slash) => authority_and_path.split_at(slash),
        None => (authority_and_path, ""),
    };
    let host = match authority.rsplit_once('@') {
        Some((_, host)) => {
            mistakes.push("it contains a user name");
            host
        }
        None => authority,
    };
    if host.is_empty() {
        mistakes.push("it has no host");
    } else {
        mistakes.extend(host_mistake(host));
    }
    if !escapes_fit(path, |_| true) {
        mistakes.push("a `%` is not followed by two hexadecimal digits");
    }
}

fn host_mistake(host: &str) -> Option<&'static str> {
    const STRANGE: &str = "its host contains an invalid character";
    let port_fits = |port: &str| port.chars().all(|digit| digit.is_ascii_digit());
    // Brackets enclose a whole IPv6 address.
    if host.rfind('[').is_some_and(|at| at > 0) {
        return Some(STRANGE);
    }
    if let Some(bracketed) = host.strip_prefix('[') {
        let Some((inside, port)) = bracketed.rsplit_once(']') else {
            return Some("a `]` is missing in its host");
        };
        let port = if port.is_empty() {
            Some("")
        } else {
            port.strip_prefix(':')
        };
        if !port.is_some_and(port_fits) {
            return Some("its port is not a number");
        }
        // A zone such as `%25eth0` may follow the numbers.
        let (numbers, zone) = inside.split_once("%25").unwrap_or((inside, "zone"));
        let zone_letter =
            |byte: u8| byte == b'%' || byte == b' ' || (byte.is_ascii() && is_host_letter(char::from(byte)));
        let zone_fits = !zone.is_empty()
            && zone.chars().all(|letter| is_host_letter(letter) || letter == '%')
            && escapes_fit(zone, zone_letter);
        return (numbers.parse::<Ipv6Addr>().is_err() || !zone_fits)
            .then_some("its host is not a valid IPv6 address");
    }
    if host.split_once(':').is_some_and(|(_, port)| !port_fits(port)) {
        return Some("its port is not a number");
    }
    let letters_fit = host.chars().all(|letter| is_host_letter(letter) || letter == '%');
    // In a host, only bytes outside ASCII may be percent-encoded.
    let beyond_ascii = |byte: u8| byte >= 0x80 || byte == b'%';
    (!letters_fit || !escapes_fit(host, beyond_ascii)).then_some(STRANGE)
}

fn is_host_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || !letter.is_ascii() || HOST_PUNCTUATION.contains(letter)
}

/// Returns whether each `%` is followed by two digits of an allowed byte.
fn escapes_fit(text: &str, allowed: impl Fn(u8) -> bool) -> bool {
    text.split('%').skip(1).all(|piece| {
        let digits = piece
            .get(..2)
            .filter(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()));
        digits
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
            .is_some_and(&allowed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_api_server_takes() {
        for right in [
            "https://hooks.example.org",
            "https://hooks.example.org:9443/mutate/parcels",
            "HTTPS://h/",
            "https://h:/%20x",
            "https://h/?",
            "https://h/#",
            "https://[::1]:443/x",
            "https://[fe80::1%25en0]",
            "https://höst/",
        ] {
            assert_eq!(mistakes(right), [""; 0], "{right}");
        }
    }

    #[test]
    fn what_an_api_server_refuses() {
        for (wrong, reason) in [
            ("", "it does not begin with `https://`"),
            ("hooks.example.org/x", "it does not begin with `https://`"),
            ("http://h/x", "it does not begin with `https://`"),
            ("https:h", "it has no host"),
            ("https:///x", "it has no host"),
            ("https://u:p@h/x", "it contains a user name"),
            ("https://h/x?y=z", "it has a query after `?`"),
            ("https://h/x#y", "it has a fragment after `#`"),
            ("https://h:x/", "its port is not a number"),
            ("https://h:1:2/", "its port is not a number"),
            ("https://h h/", "its host contains an invalid character"),
            ("https://h%41/", "its host contains an invalid character"),
            ("https://h/%4", "a `%` is not followed by two hexadecimal digits"),
            ("https://h/\u{7}", "it contains a control character"),
            ("https://[::1/", "a `]` is missing in its host"),
            ("https://[1.2.3.4]/", "its host is not a valid IPv6 address"),
            ("https://[::1][::1]/", "its host contains an invalid character"),
        ] {
            assert_eq!(mistakes(wrong), [reason], "{wrong}");
        }
        assert_eq!(mistakes("http://u@/?a#b").len(), 5);
    }
}
