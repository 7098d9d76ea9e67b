//! The license of a project: the header of its source files, in `hack/boilerplate.rs.txt`.
//!
//! The header is a file of the user, who can change it: new files begin with what it says then.

use std::path::Path;

use kgen_build::{Findings, read_file};
use kgen_diagnostics::{Code, Problem};
use minijinja::context;

use crate::render::{self, Words};

/// The header of the source files of a project.
pub(crate) const HEADER: &str = "hack/boilerplate.rs.txt";

/// The set with the header.
pub(crate) const SET: &str = "license";

/// A license, and who holds the copyright.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct License {
    /// The identifier of the license in the list of SPDX. `None` claims the copyright only.
    pub identifier: Option<&'static str>,
    /// The owner; by default the authors of the project.
    pub owner: Option<String>,
}

impl License {
    /// Returns the license that kubebuilder knows by this name.
    #[must_use]
    pub fn of(word: &str, owner: Option<String>) -> Option<Self> {
        let identifier = match word {
            "apache2" => Some("Apache-2.0"),
            "mit" => Some("MIT"),
            "copyright" => None,
            _ => return None,
        };
        Some(Self { identifier, owner })
    }

    /// Returns the files with the header.
    pub(crate) fn files(&self, project: &str) -> Result<Vec<(String, String)>, Findings> {
        let owner = match &self.owner {
            Some(owner) => owner.clone(),
            None => format!("The {project} authors"),
        };
        if owner.contains(['\n', '\r']) {
            let problem = Problem::general(Code::Usage, "the owner has more than one line");
            return Err(Findings::of(problem));
        }
        let words = Words {
            context: context! { license => self.identifier.unwrap_or_default(), owner },
            path: Vec::new(),
            header: String::new(),
        };
        render::set(SET, &words).map_err(Findings::of)
    }
}

/// Returns the header of the source files of a project, or an empty string if it has none.
pub(crate) fn header(root: &Path) -> String {
    let text = read_file(&root.join(HEADER)).ok().flatten();
    text.as_deref().map(in_file).unwrap_or_default()
}

/// Returns a header as it is in files: with an empty line after it.
pub(crate) fn in_file(header: &str) -> String {
    match header.trim_end() {
        "" => String::new(),
        header => format!("{header}\n\n"),
    }
}

/// Returns the identifier in the manifest of a package, as kgen wrote it.
pub(crate) fn of_manifest(manifest: &str) -> Option<String> {
    let mut lines = manifest.lines().take_while(|line| *line != "[dependencies]");
    let stated = lines.find_map(|line| line.strip_prefix("license = \""))?;
    Some(stated.trim_end_matches('"').to_owned())
}
