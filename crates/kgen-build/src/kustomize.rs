//! The deployment manifests of an operator: files, or the output of kustomize.
//!
//! Kustomize is not reimplemented: kgen runs `kubectl kustomize` or `kustomize`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::view::View;

/// The names of the file that makes a folder a kustomization.
const FILES: &[&str] = &["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Texts of manifests: the name of each in messages, and the files that were read for it.
pub(crate) struct Texts {
    pub(crate) texts: Vec<(PathBuf, String)>,
}

/// Reads manifests from a kustomization folder, a folder of YAML files, a file, or standard input (`-`).
///
/// # Errors
/// Returns why they cannot be read.
pub(crate) fn read(path: &Path, is_standard_input: bool, view: View<'_>) -> Result<Texts, String> {
    if is_standard_input {
        let text = kgen_frontend::read_standard_input()
            .map_err(|error| format!("cannot read standard input: {error}"))?;
        return Ok(Texts {
            texts: vec![(PathBuf::from("-"), text)],
        });
    }
    let files = view.files_in(path).unwrap_or_default();
    let is_kustomization = files.iter().any(|file| {
        file.file_name()
            .is_some_and(|name| FILES.iter().any(|known| name == *known))
    });
    if is_kustomization {
        let text = run(path)?;
        return Ok(Texts {
            texts: vec![(path.to_owned(), text)],
        });
    }
    let yaml: Vec<PathBuf> = files
        .into_iter()
        .filter(|file| {
            file.extension()
                .is_some_and(|extension| extension == "yaml" || extension == "yml")
        })
        .collect();
    let wanted = if yaml.is_empty() {
        vec![path.to_owned()]
    } else {
        yaml
    };
    let mut texts = Vec::with_capacity(wanted.len());
    for file in wanted {
        let text = view.read_text(&file)?;
        texts.push((file, text));
    }
    Ok(Texts { texts })
}

/// Runs the first tool that is installed.
fn run(folder: &Path) -> Result<String, String> {
    let tools: [(&str, &[&str]); 2] = [("kubectl", &["kustomize"]), ("kustomize", &["build"])];
    for (program, arguments) in tools {
        let output = Command::new(program).args(arguments).arg(folder).output();
        match output {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot run `{program}`: {error}")),
            Ok(output) if output.status.success() => {
                return String::from_utf8(output.stdout)
                    .map_err(|_| format!("the output of `{program}` is not UTF-8"));
            }
            Ok(output) => {
                let reason = String::from_utf8_lossy(&output.stderr);
                return Err(format!(
                    "`{program} {}` failed: {}",
                    arguments.join(" "),
                    reason.trim()
                ));
            }
        }
    }
    Err("neither `kubectl` nor `kustomize` is installed, and one of them is needed".to_owned())
}
