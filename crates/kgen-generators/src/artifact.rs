//! What a generator produces: a file's name and its text. Where it goes, and whether it is written, others decide.

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
