use super::*;

/// Texts that the API server accepts and refuses, by format; `testdata/apiserver` has the same verdicts from itself.
const TABLE: &[(&str, &[&str], &[&str])] = &[
    (
        "date-time",
        &["2030-01-02T03:04:05Z", "2030-01-02t03:04:05.123+01:00"],
        &[
            "2030-01-02",
            "2030-02-30T00:00:00Z",
            "2030-01-02T24:00:00Z",
            "2030-01-02T03:04:05",
            "",
        ],
    ),
    (
        "date",
        &["2024-02-29"],
        &["2023-02-29", "2024-2-9", "2024-13-01", "x"],
    ),
    (
        "duration",
        &["1h30m", "-1.5s", "0", "22 ns", "5 minutes", "3 weeks"],
        &["", "h", "5", "5 parsecs"],
    ),
    (
        "ipv4",
        &["10.0.0.1", "010.0.0.1"],
        &["10.0.0", "10.0.0.256", "::1", "a.b.c.d"],
    ),
    (
        "ipv6",
        &["::1", "2001:db8::", "::ffff:1.2.3.4"],
        &["10.0.0.1", "::1%eth0", "x"],
    ),
    (
        "cidr",
        &["10.0.0.0/8", "::/0"],
        &["10.0.0.0", "10.0.0.0/33", "10.0.0.0/x"],
    ),
    (
        "mac",
        &["01:23:45:67:89:ab", "01-23-45-67-89-ab", "0123.4567.89ab"],
        &["01:23:45", "01:23:45:67:89:zz"],
    ),
    (
        "uuid",
        &[
            "123e4567-e89b-12d3-a456-426614174000",
            "123E4567E89B12D3A456426614174000",
        ],
        &["123e4567", "123e4567--e89b-12d3-a456-426614174000"],
    ),
    (
        "uuid4",
        &["123e4567-e89b-42d3-a456-426614174000"],
        &[
            "123e4567-e89b-12d3-a456-426614174000",
            "123e4567-e89b-42d3-c456-426614174000",
        ],
    ),
    ("byte", &["aGVsbG8=", "AAAA"], &["", "hello", "a==="]),
    (
        "hostname",
        &["example.com", "localhost", "a-b", "x1.example.london"],
        &["", "-a", "my-host-name", "a..b", "example.c"],
    ),
    ("email", &["a@example.com"], &["a", "@a", "a@"]),
    (
        "uri",
        &["https://example.com/x?y", "/path", "mailto:x"],
        &["", "example.com/x", "relative", "/%zz"],
    ),
    ("hexcolor", &["#fff", "00FF00"], &["#ff", "green"]),
    (
        "rgbcolor",
        &["rgb(1, 22,255)"],
        &["rgb(1,2)", "rgb(1,2,256)", "rgb(01,2,3)"],
    ),
    ("ssn", &["111-22-3333"], &["111223333", "11-222-3333"]),
    ("bsonobjectid", &["507f1f77bcf86cd799439011"], &["507f"]),
    ("k8s-short-name", &["a", "1-a"], &["A", "-a", "a.b"]),
    ("k8s-long-name", &["a.b"], &["a..b", "A.b"]),
    ("password", &["", "x"], &[]),
    ("int32", &["x"], &[]),
    ("no-such-format", &["x"], &[]),
];

#[test]
fn every_format_accepts_and_refuses_what_the_api_server_does() {
    for (format, accepted, refused) in TABLE {
        for text in *accepted {
            assert!(accepts(format, text), "{format}: `{text}` should be accepted");
        }
        for text in *refused {
            assert!(!accepts(format, text), "{format}: `{text}` should be refused");
        }
    }
}
