//! docs/markers.md: every marker, from the table in `kgen-markers`.

use anyhow::{Result, anyhow};

/// The page.
pub fn page() -> Result<String> {
    let all = kgen_markers::select(None).map_err(|problem| anyhow!("no markers: {problem:?}"))?;
    let introduction = "\
# Markers

Every marker that kgen reads in comments. `kgen markers` prints the same in a terminal, `kgen markers NAME` one of them,
and `kgen markers --format json` is for programs.
";
    let markers = kgen_markers::render_markdown(&all);
    Ok(format!(
        "{}{introduction}\n{}\n",
        super::header(),
        markers.trim_end()
    ))
}
