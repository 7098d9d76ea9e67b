//! The product of a generator: a file's name and its text. Others decide where it goes, and whether it is written.

use kgen_model::GeneratedLine;

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The file name; generated Rust has folders in it, with forward slashes.
    pub name: String,
    /// The generator that made it, as on the command line.
    pub generator: &'static str,
    /// The whole text, header line included.
    pub text: String,
}

/// Starts the text of a generated file: the line that names the generator, and the user's own header behind it.
pub(crate) fn head(line: GeneratedLine<'_>, header: Option<&str>) -> String {
    let mut text = format!("{line}\n");
    if let Some(header) = header.filter(|header| !header.is_empty()) {
        text.push_str(header);
        if !header.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}
