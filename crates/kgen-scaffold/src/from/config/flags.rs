//! The flags of programs that kubebuilder scaffolds, as the Rust program has them.

/// The translation of a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    /// The Rust program has the same flag.
    Same,
    /// The Rust program has this flag instead.
    Other(String),
    /// The Rust program does not need the flag, for this reason.
    Needless(&'static str),
    /// The Rust program does not have the flag, and this does the same or comes near to it.
    Missing(Option<&'static str>),
}

/// The flags of both programs that have a value.
const SAME: &[&str] = &[
    "--kubeconfig",
    "--leader-election-id",
    "--leader-election-namespace",
];

/// Flags without a value, which Go also accepts as `--flag=true`.
const SWITCHES: &[&str] = &[
    "--enable-http2",
    "--leader-elect",
    "--metrics-secure",
    "--zap-devel",
];

const ADDRESSES: &[(&str, &str)] = &[
    ("--health-probe-bind-address", "--probe-addr"),
    ("--metrics-bind-address", "--metrics-addr"),
];

const FOLDERS: &[(&str, &str)] = &[
    ("--metrics-cert-path", "--metrics-certs"),
    ("--webhook-cert-path", "--webhook-certs"),
];

/// The names of files that the Rust program always reads.
const FILES: &[(&str, &str)] = &[
    ("--metrics-cert-key", "tls.key"),
    ("--metrics-cert-name", "tls.crt"),
    ("--webhook-cert-key", "tls.key"),
    ("--webhook-cert-name", "tls.crt"),
];

const IS_DEFAULT: &str = "this is the default of the Rust program";
const IS_OFF: &str = "the Rust program serves nothing there by default";

/// Returns whether the flag never takes the next argument as its value.
pub(super) fn is_switch(flag: &str) -> bool {
    SWITCHES.contains(&flag)
}

/// Translates a flag and its value.
pub(super) fn translate(flag: &str, value: Option<&str>) -> Flag {
    let find = |pairs: &[(&'static str, &'static str)]| {
        let pair = pairs.iter().find(|(known, _)| *known == flag)?;
        Some((pair.1, value?))
    };
    if SAME.contains(&flag) {
        return Flag::Same;
    }
    if let Some((new, value)) = find(ADDRESSES) {
        return match value {
            "0" | "" => Flag::Needless(IS_OFF),
            value => Flag::Other(format!("{new}={}", address(value))),
        };
    }
    if let Some((new, value)) = find(FOLDERS) {
        return match value {
            "" => Flag::Needless(IS_DEFAULT),
            value => Flag::Other(format!("{new}={value}")),
        };
    }
    if let Some((file, value)) = find(FILES) {
        return match value == file {
            true => Flag::Needless(IS_DEFAULT),
            false => Flag::Missing(Some("call the files of the certificate `tls.crt` and `tls.key`")),
        };
    }
    let is_on = value != Some("false");
    match (flag, value) {
        ("--leader-elect" | "--enable-http2", None) => Flag::Same,
        ("--leader-elect" | "--enable-http2", Some(_)) if is_on => Flag::Other(flag.to_owned()),
        ("--leader-elect" | "--enable-http2", Some(_)) => Flag::Needless(IS_DEFAULT),
        ("--metrics-secure", _) if is_on => Flag::Needless(IS_DEFAULT),
        ("--metrics-secure", _) => Flag::Other("--metrics-insecure".to_owned()),
        ("--zap-log-level", Some(level)) => Flag::Other(format!("--log-level={}", log_level(level))),
        ("--zap-encoder", Some("json")) => Flag::Other("--log-format=json".to_owned()),
        ("--zap-encoder", Some("console")) => Flag::Other("--log-format=text".to_owned()),
        ("--zap-devel", _) if is_on => {
            Flag::Missing(Some("`--log-level=debug` and `--log-format=text` do the same"))
        }
        ("--zap-devel", _) => Flag::Needless(IS_DEFAULT),
        _ => Flag::Missing(None),
    }
}

/// Returns an address as Rust reads it: with a number for every host.
fn address(text: &str) -> String {
    if text.starts_with(':') {
        return format!("0.0.0.0{text}");
    }
    match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    }
}

/// Returns the level of the Rust program. Numbers above one are more detailed than `debug`.
fn log_level(level: &str) -> &str {
    match level.parse::<u32>() {
        Ok(0) => "info",
        Ok(1) => "debug",
        Ok(_) => "trace",
        Err(_) if level == "panic" => "error",
        Err(_) => level,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_translated() {
        let other = |flag: &str| Flag::Other(flag.to_owned());
        for (given, expected) in [
            ("--leader-elect", Flag::Same),
            ("--leader-elect=true", other("--leader-elect")),
            ("--leader-elect=false", Flag::Needless(IS_DEFAULT)),
            ("--leader-election-id=harbor", Flag::Same),
            (
                "--health-probe-bind-address=:8081",
                other("--probe-addr=0.0.0.0:8081"),
            ),
            (
                "--metrics-bind-address=localhost:8443",
                other("--metrics-addr=127.0.0.1:8443"),
            ),
            ("--metrics-bind-address=0", Flag::Needless(IS_OFF)),
            ("--metrics-secure", Flag::Needless(IS_DEFAULT)),
            ("--metrics-secure=false", other("--metrics-insecure")),
            ("--enable-http2=true", other("--enable-http2")),
            ("--webhook-cert-path=/certs", other("--webhook-certs=/certs")),
            ("--webhook-cert-name=tls.crt", Flag::Needless(IS_DEFAULT)),
            ("--zap-log-level=2", other("--log-level=trace")),
            ("--zap-encoder=console", other("--log-format=text")),
            ("--zap-stacktrace-level=error", Flag::Missing(None)),
            ("--zap-log-level", Flag::Missing(None)),
        ] {
            let (flag, value) = given
                .split_once('=')
                .map_or((given, None), |(flag, value)| (flag, Some(value)));
            assert_eq!(translate(flag, value), expected, "{given}");
        }
        assert!(matches!(
            translate("--metrics-cert-name", Some("a.crt")),
            Flag::Missing(Some(_))
        ));
        assert!(matches!(translate("--zap-devel", None), Flag::Missing(Some(_))));
    }
}
