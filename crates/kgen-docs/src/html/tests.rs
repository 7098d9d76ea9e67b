use super::*;

#[test]
fn raw_html_is_text() {
    let html = markdown("a <script>alert(1)</script> <b>b</b>\n\n<img src=x onerror=alert(1)>");
    assert!(
        !html.contains("<script>") && !html.contains("<b>") && !html.contains("<img"),
        "{html}"
    );
    assert!(html.contains("&lt;script&gt;"), "{html}");
    assert!(!markdown("[a](javascript:alert(1))").contains("javascript:"));
    assert!(!markdown("![a](https://example.org/x.png)").contains("<img"));
}

#[test]
fn the_page_without_data_is_small() {
    let reference = Reference::default();
    let text = page(&reference).text;
    assert!(text.len() < 60_000, "{}", text.len());
    assert!(SCRIPT.lines().count() < 220);
    // The hashes of the policy are those of the text between the tags.
    assert!(!STYLE.contains("</style") && !SCRIPT.contains("</script"));
}

/// Without this, a changed style or script would not be applied.
#[test]
fn the_policy_has_the_hashes_of_style_and_script() {
    for (name, text, stated) in [
        ("STYLE_HASH", STYLE, STYLE_HASH),
        ("SCRIPT_HASH", SCRIPT, SCRIPT_HASH),
    ] {
        let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
        let hash = format!("sha256-{}", base64(digest.as_ref()));
        assert_eq!(stated, hash, "change {name}");
    }
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut word = [0; 3];
        word[..chunk.len()].copy_from_slice(chunk);
        let number = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        for index in 0..4u32 {
            let sign = SIGNS[(number >> (18 - 6 * index) & 63) as usize];
            text.push(if index as usize <= chunk.len() {
                sign as char
            } else {
                '='
            });
        }
    }
    text
}
