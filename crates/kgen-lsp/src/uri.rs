//! File URIs and paths.

use std::path::{Path, PathBuf};

use kgen_diagnostics::slashes;

/// Returns the path of a file URI, without `.` and `..`; `None` for other URIs.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // An authority is only allowed to be this machine.
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let decoded = decode(path)?;
    // `/C:/folder` is a path of Windows.
    let is_drive = decoded.as_bytes().get(2) == Some(&b':');
    let native = if is_drive { decoded.get(1..)? } else { &decoded };
    Some(kgen_diagnostics::absolute(Path::new("/"), Path::new(native)))
}

/// Returns the URI of a file.
pub(crate) fn of_path(path: &Path) -> String {
    let path = slashes(path);
    let mut uri = "file://".to_owned();
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?.to_owned();
        bytes.push(u8::from_str_radix(&digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_its_uri() {
        for path in ["/a/b.rs", "/a b/ü#%.rs", "/a/b?c/[d].rs"] {
            assert_eq!(to_path(&of_path(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(to_path("file:///a/../b.rs"), Some(PathBuf::from("/b.rs")));
        assert_eq!(to_path("untitled:Untitled-1"), None);
        assert_eq!(to_path("file:///%zz"), None);
    }
}
