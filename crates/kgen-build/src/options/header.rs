//! Options of every generator: the text at the beginning of its files.

use std::path::PathBuf;

use super::options;

options! {
    /// The text at the beginning of every file.
    pub struct HeaderOptions at header, described by HEADER {
        "headerFile" => file: Option<PathBuf> = None,
            "File to insert after the first line of every generated file, such as a license in comments";

        "year" => year: Option<String> = None,
            "Year that replaces the word YEAR in the header file";
    }
}
