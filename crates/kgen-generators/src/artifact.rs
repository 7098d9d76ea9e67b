//! The output of a generator: the name and the text of a file. `kgen-build` decides where to write it.

use kgen_model::GeneratedLine;

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The file name. For generated Rust, it is a path with forward slashes.
    pub name: String,
    /// The name of the generator on the command line.
    pub generator: &'static str,
    /// The whole text, including the header line.
    pub text: String,
}

/// Starts the text of a generated file with the line that names the generator, and the user's own header.
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
