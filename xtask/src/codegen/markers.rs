//! docs/book/src/markers.md: every marker, from the table in `kgen-markers`.

use anyhow::{Result, anyhow};

/// Returns the page.
pub fn page() -> Result<String> {
    let all = kgen_markers::select(None).map_err(|problem| anyhow!("no markers: {problem:?}"))?;
    let introduction = "\
# Markers

Every marker that kgen reads in comments.
`kgen markers` prints this list in a terminal, and `kgen markers NAME` prints one entry.
Programs read `kgen markers --format json`.
";
    let markers = kgen_markers::render_markdown(&all);
    Ok(super::as_parts(&format!(
        "{}{introduction}\n{}\n",
        super::header(),
        markers.trim_end()
    )))
}
