//! URLs as Go's `net/url` reads them, with its messages.

use super::address::parse_address;
use super::url_escape::{Part, escape, is_valid_encoded, unescape};
use crate::go_text::quoted;

/// The most parameters that Go reads from a query.
const MOST_PARAMETERS: usize = 10_000;

/// The parts of a URL. Parts that were unescaped are bytes, because escapes can be any bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Url {
    pub(crate) scheme: String,
    opaque: String,
    /// The name and perhaps the password.
    user: Option<(Vec<u8>, Option<Vec<u8>>)>,
    host: Vec<u8>,
    path: Vec<u8>,
    /// The path as it was written, if it can be written in several ways.
    raw_path: String,
    raw_query: String,
    has_empty_query: bool,
    fragment: Vec<u8>,
    raw_fragment: String,
    omits_host: bool,
}

impl Url {
    /// Checks an absolute URL or an absolute path, as `url.ParseRequestURI` does.
    pub(crate) fn check_request(text: &str) -> Result<(), String> {
        let parsed = parse(text, true).map(|_| ());
        parsed.map_err(|error| format!("parse {}: {error}", quoted(text)))
    }

    /// Parses a URL for CEL. It must be absolute, or an absolute path.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let context = "URL parse error during conversion from string: ";
        Self::check_request(text).map_err(|error| format!("{context}{error}"))?;
        let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
        let mut url =
            parse(before, false).map_err(|error| format!("{context}parse {}: {error}", quoted(before)))?;
        if !fragment.is_empty() {
            url.fragment = unescape(fragment, Part::Fragment)
                .map_err(|error| format!("{context}parse {}: {error}", quoted(text)))?;
            if escape(&url.fragment, Part::Fragment) != fragment {
                url.raw_fragment = fragment.to_owned();
            }
        }
        Ok(url)
    }

    pub(crate) fn host(&self) -> &[u8] {
        &self.host
    }

    fn host_and_port(&self) -> (&[u8], &[u8]) {
        let colon = self.host.iter().rposition(|byte| *byte == b':');
        let split = colon.and_then(|colon| self.host.split_at_checked(colon));
        let (host, port) = match split {
            Some((host, port)) if is_port(port) => (host, port.get(1..).unwrap_or_default()),
            _ => (self.host.as_slice(), &[][..]),
        };
        let bare = host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]"));
        (bare.unwrap_or(host), port)
    }

    pub(crate) fn host_name(&self) -> &[u8] {
        self.host_and_port().0
    }

    pub(crate) fn port(&self) -> &[u8] {
        self.host_and_port().1
    }

    pub(crate) fn escaped_path(&self) -> String {
        if !self.raw_path.is_empty()
            && is_valid_encoded(&self.raw_path, Part::Path)
            && unescape(&self.raw_path, Part::Path).as_ref() == Ok(&self.path)
        {
            return self.raw_path.clone();
        }
        if self.path == b"*" {
            return "*".to_owned();
        }
        escape(&self.path, Part::Path)
    }

    /// Returns the parameters of the query in their order. Go leaves out those that it cannot read.
    pub(crate) fn query(&self) -> Vec<(Vec<u8>, Vec<Vec<u8>>)> {
        let mut query: Vec<(Vec<u8>, Vec<Vec<u8>>)> = Vec::new();
        if self.raw_query.matches('&').count() >= MOST_PARAMETERS {
            return query;
        }
        for part in self.raw_query.split('&') {
            if part.is_empty() || part.contains(';') {
                continue;
            }
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let (Ok(key), Ok(value)) = (unescape(key, Part::Query), unescape(value, Part::Query)) else {
                continue;
            };
            match query.iter_mut().find(|(known, _)| *known == key) {
                Some((_, values)) => values.push(value),
                None => query.push((key, vec![value])),
            }
        }
        query
    }

    /// Returns the URL as text, as `URL.String` does.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if !self.scheme.is_empty() {
            text.push_str(&self.scheme);
            text.push(':');
        }
        if self.opaque.is_empty() {
            self.write_hierarchy(&mut text);
        } else {
            text.push_str(&self.opaque);
        }
        if self.has_empty_query || !self.raw_query.is_empty() {
            text.push('?');
            text.push_str(&self.raw_query);
        }
        if !self.fragment.is_empty() {
            text.push('#');
            text.push_str(&self.escaped_fragment());
        }
        text
    }

    fn write_hierarchy(&self, text: &mut String) {
        let has_host = !self.host.is_empty() || self.user.is_some();
        if has_host || !self.scheme.is_empty() && !self.omits_host {
            if has_host || !self.path.is_empty() {
                text.push_str("//");
            }
            if let Some((name, password)) = &self.user {
                text.push_str(&escape(name, Part::User));
                if let Some(password) = password {
                    text.push(':');
                    text.push_str(&escape(password, Part::User));
                }
                text.push('@');
            }
            text.push_str(&escape(&self.host, Part::Host));
        }
        let path = self.escaped_path();
        if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
            text.push('/');
        }
        if text.is_empty() && path.split('/').next().is_some_and(|first| first.contains(':')) {
            text.push_str("./");
        }
        text.push_str(&path);
    }

    fn escaped_fragment(&self) -> String {
        if !self.raw_fragment.is_empty()
            && is_valid_encoded(&self.raw_fragment, Part::Fragment)
            && unescape(&self.raw_fragment, Part::Fragment).as_ref() == Ok(&self.fragment)
        {
            return self.raw_fragment.clone();
        }
        escape(&self.fragment, Part::Fragment)
    }
}

fn parse(text: &str, is_request: bool) -> Result<Url, String> {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    if text.is_empty() && is_request {
        return Err("empty url".to_owned());
    }
    let mut url = Url::default();
    if text == "*" {
        url.path = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, rest) = split_scheme(text)?;
    url.scheme = scheme.to_lowercase();
    let mut rest = match rest.split_once('?') {
        Some((rest, "")) => {
            url.has_empty_query = true;
            rest
        }
        Some((rest, query)) => {
            url.raw_query = query.to_owned();
            rest
        }
        None => rest,
    };
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            url.opaque = rest.to_owned();
            return Ok(url);
        }
        if is_request {
            return Err("invalid URI for request".to_owned());
        }
        if rest.split('/').next().is_some_and(|first| first.contains(':')) {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    let may_have_authority = !url.scheme.is_empty() || !is_request && !rest.starts_with("///");
    if let Some(behind) = rest.strip_prefix("//")
        && may_have_authority
    {
        let (authority, path) = behind
            .split_at_checked(behind.find('/').unwrap_or(behind.len()))
            .unwrap_or((behind, ""));
        rest = path;
        parse_authority(&mut url, authority)?;
    } else if !url.scheme.is_empty() && rest.starts_with('/') {
        url.omits_host = true;
    }
    url.path = unescape(rest, Part::Path)?;
    if escape(&url.path, Part::Path) != rest {
        url.raw_path = rest.to_owned();
    }
    Ok(url)
}

/// Splits a scheme from the rest. The scheme is empty if there is none.
fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    for (place, letter) in text.char_indices() {
        match letter {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if place > 0 => {}
            ':' if place == 0 => return Err("missing protocol scheme".to_owned()),
            ':' => return Ok(text.split_once(':').unwrap_or(("", text))),
            _ => return Ok(("", text)),
        }
    }
    Ok(("", text))
}

fn parse_authority(url: &mut Url, authority: &str) -> Result<(), String> {
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    url.host = parse_host(&url.scheme, host)?;
    let Some(user) = user else { return Ok(()) };
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(letter);
    if !user.chars().all(is_letter) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    url.user = Some(match user.split_once(':') {
        Some((name, password)) => (unescape(name, Part::User)?, Some(unescape(password, Part::User)?)),
        None => (unescape(user, Part::User)?, None),
    });
    Ok(())
}

fn parse_host(scheme: &str, host: &str) -> Result<Vec<u8>, String> {
    let invalid_port = |port: &str| format!("invalid port {} after host", quoted(port));
    match host.rfind('[') {
        Some(0) => {
            let inside = host.get(1..).unwrap_or_default();
            let Some((name, port)) = inside.rsplit_once(']') else {
                return Err("missing ']' in host".to_owned());
            };
            if !is_port(port.as_bytes()) {
                return Err(invalid_port(port));
            }
            let port = unescape(port, Part::Host)?;
            let name = match name.find("%25").and_then(|zone| name.split_at_checked(zone)) {
                Some((address, zone)) => {
                    let mut name = unescape(address, Part::Host)?;
                    name.extend(unescape(zone, Part::Zone)?);
                    name
                }
                None => unescape(name, Part::Host)?,
            };
            let address = String::from_utf8_lossy(&name);
            match parse_address(&address) {
                Err(error) => return Err(format!("invalid host: {error}")),
                Ok((address, _)) if address.is_ipv4() => return Err("invalid IP-literal".to_owned()),
                Ok(_) => {}
            }
            return Ok([b"[", name.as_slice(), b"]", &port].concat());
        }
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    // Go allows several colons, except in URLs for HTTP.
    let colon = if matches!(scheme, "http" | "https") {
        host.find(':')
    } else {
        host.rfind(':')
    };
    if let Some(port) = colon.and_then(|colon| host.get(colon..))
        && !is_port(port.as_bytes())
    {
        return Err(invalid_port(port));
    }
    unescape(host, Part::Host)
}

/// Returns whether a text is empty, or a colon and digits.
fn is_port(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
