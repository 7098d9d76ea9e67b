//! The patterns accept the texts that Rust's own types read, and no others.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::str::FromStr;

use proptest::prelude::*;
use regex::Regex;

use super::*;

fn pattern(schema: &Schema) -> Regex {
    Regex::new(schema.constraints.pattern.as_deref().unwrap_or_default()).unwrap()
}

/// Compares a pattern with the type that reads the texts.
fn compare<T: FromStr>(schema: &Schema, texts: &[String]) {
    let pattern = pattern(schema);
    for text in texts {
        assert_eq!(pattern.is_match(text), text.parse::<T>().is_ok(), "{text:?}");
    }
}

fn compare_all(texts: &[String]) {
    compare::<IpAddr>(&address(), texts);
    compare::<Ipv4Addr>(&address_version_4(), texts);
    compare::<Ipv6Addr>(&address_version_6(), texts);
    compare::<SocketAddr>(&socket(), texts);
    compare::<SocketAddrV4>(&socket_of_version_4(), texts);
    compare::<SocketAddrV6>(&socket_of_version_6(), texts);
}

#[test]
fn addresses_at_their_limits() {
    let texts = [
        "",
        "0.0.0.0",
        "255.255.255.255",
        "256.0.0.0",
        "01.2.3.4",
        "1.2.3",
        "::",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:8:9",
        "1::2::3",
        "::ffff:1.2.3.4",
        "1:2:3:4:5:6:1.2.3.4",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1.2.3.4:5",
        "12345::",
        "fe80::1%1",
        "1.2.3.4:0",
        "1.2.3.4:65535",
        "1.2.3.4:65536",
        "1.2.3.4:",
        "[::1]:80",
        "[::1%4294967295]:80",
        "[::1%4294967296]:80",
        "::1:80",
    ];
    compare_all(&texts.map(str::to_owned));
}

#[test]
fn numbers_up_to_a_limit() {
    for most in [0, 1, 9, 10, 19, 99, 100, 255, 1000, 1024, 65_535] {
        let pattern = Regex::new(&format!("^{}$", up_to(most))).unwrap();
        for number in 0..=most + 1_000 {
            assert_eq!(
                pattern.is_match(&number.to_string()),
                number <= most,
                "{number} of {most}"
            );
        }
        assert!(!pattern.is_match("00") && !pattern.is_match(""));
    }
}

#[test]
fn days_of_leap_years() {
    let pattern = pattern(&day_and_clock());
    for (day, exists) in [
        ("2024-02-29", true),
        ("2023-02-29", false),
        ("2000-02-29", true),
        ("1900-02-29", false),
        ("0000-02-29", true),
        ("2024-04-31", false),
        ("2024-12-31", true),
        ("2024-13-01", false),
        ("2024-00-01", false),
    ] {
        assert_eq!(pattern.is_match(&format!("{day}T23:59:59.5")), exists, "{day}");
    }
    assert!(!pattern.is_match("2024-01-01T24:00:00"));
}

#[test]
fn durations_at_their_limits() {
    let pattern = pattern(&signed_duration());
    for (text, fits) in [
        ("PT0S", true),
        ("PT2562047788015215H30M7.999999999S", true),
        ("PT2562047788015215H30M8S", false),
        ("-PT2562047788015215H30M8.999999999S", true),
        ("-PT2562047788015215H30M9S", false),
        ("PT2562047788015216H", false),
        ("PT1H1S", true),
        ("PT", false),
        ("P1D", false),
    ] {
        assert_eq!(pattern.is_match(text), fits, "{text}");
    }
}

proptest! {
    /// Texts that are nearly addresses.
    #[test]
    fn addresses_are_those_that_rust_reads(text in "[0-9a-f.:\\[\\]%]{0,24}", port in any::<u32>(), address in any::<IpAddr>()) {
        let port = port % 70_000;
        let near = address.to_string().replace('1', "");
        compare_all(&[text, address.to_string(), format!("{address}:{port}"), format!("[{address}]:{port}"), near]);
    }
}
