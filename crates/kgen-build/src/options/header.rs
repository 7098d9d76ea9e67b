//! Options of every generator: the text at the beginning of its files.

use std::path::PathBuf;

use super::options;

options! {
    /// The text at the beginning of every file.
    pub struct HeaderOptions at header, described by HEADER {
        "headerFile" => file: Option<PathBuf> = None,
            "File whose text follows the first line of every generated file, such as a licence in comments";

        "year" => year: Option<String> = None,
            "Replaces the word YEAR in the text of the header file";
    }
}
