//! Strings of the formats that the API server checks.

/// Returns strings that have a format, the usual one first. The name is compared without dashes.
pub(crate) fn samples(format: &str) -> &'static [&'static str] {
    match format.replace('-', "").as_str() {
        "bsonobjectid" => &["507f1f77bcf86cd799439011"],
        "byte" => &["YQ==", "YWJj"],
        "cidr" => &["10.0.0.0/8", "fd00::/8"],
        "creditcard" => &["4111111111111111"],
        "date" => &["2026-01-02"],
        "datetime" => &["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+01:00"],
        "duration" => &["1s", "1h30m", "0s"],
        "email" => &["a@example.com"],
        "hexcolor" => &["#fff", "#1a2b3c"],
        "hostname" => &["a", "example.com"],
        "ipv4" => &["10.0.0.1"],
        "ipv6" => &["::1", "fd00::1"],
        "isbn" => &["0321751043", "9780321751041"],
        "isbn10" => &["0321751043"],
        "isbn13" => &["9780321751041"],
        "k8slongname" => &["a", "a.b"],
        "k8sshortname" => &["a"],
        "mac" => &["01:02:03:04:05:06"],
        "rgbcolor" => &["rgb(1,2,3)"],
        "ssn" => &["111-22-3333"],
        "uri" => &["https://example.com", "https://example.com/a?b=c"],
        "uuid" => &[
            "a8098c1a-f86e-11da-bd1a-00112444be1e",
            "a987fbc9-4bed-3078-8f07-9141ba07c9f3",
            "57b73598-8764-4ad0-a76a-679bb6640eb1",
            "987fbc97-4bed-5078-9f07-9141ba07c9f3",
        ],
        "uuid3" => &["a987fbc9-4bed-3078-8f07-9141ba07c9f3"],
        "uuid4" => &["57b73598-8764-4ad0-a76a-679bb6640eb1"],
        "uuid5" => &["987fbc97-4bed-5078-9f07-9141ba07c9f3"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use kgen_schema::formats::{FORMATS, accepts};

    use super::*;

    #[test]
    fn every_sample_has_its_format() {
        for format in FORMATS {
            // Every string is a password.
            assert!(*format == "password" || !samples(format).is_empty(), "{format}");
            for sample in samples(format) {
                assert!(accepts(format, sample), "{format}: {sample}");
            }
        }
    }
}
