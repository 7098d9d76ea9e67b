//! The source of k8s-openapi that ships with kgen: of each file that declares a type, the parts that the front end looks at.
//!
//! `kgen-frontend/src/source/shipped.rs` reads the file and shows its form. A test there compares what the front end finds in these
//! parts with what it finds in the published files, so a mistake here cannot change what kgen generates.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use miniz_oxide::deflate::compress_to_vec;

use crate::workspace::Workspace;

/// The strongest compression: the file is packed once and never changes.
const LEVEL: u8 = 10;

/// Returns the name and the content of the file of the version that this workspace is locked to.
pub fn packed(workspace: &Workspace) -> Result<(String, Vec<u8>)> {
    let (version, checksum) = locked(workspace)?;
    let folder = unpacked(&version)?;
    let mut files = BTreeMap::new();
    collect(&folder.join("src"), "src", &mut files)?;
    files.insert(
        "Cargo.toml".to_owned(),
        fs::read_to_string(folder.join("Cargo.toml"))?,
    );
    Ok((
        format!("k8s-openapi-{version}.source"),
        pack(&version, &checksum, &files),
    ))
}

/// Returns the version and the checksum of k8s-openapi in the lock file of this workspace.
pub fn locked(workspace: &Workspace) -> Result<(String, String)> {
    let lock = fs::read_to_string(workspace.path("Cargo.lock")).context("cannot read Cargo.lock")?;
    let entry = lock
        .split("[[package]]")
        .find(|entry| entry.contains("\nname = \"k8s-openapi\"\n"));
    let value = |key: &str| {
        let start = format!("{key} = \"");
        let line = entry?.lines().find_map(|line| line.strip_prefix(&start))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    value("version")
        .zip(value("checksum"))
        .context("Cargo.lock does not name k8s-openapi")
}

/// Returns the folder of a version that cargo has downloaded.
fn unpacked(version: &str) -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .context("there is no cargo home")?;
    let registries = fs::read_dir(home.join("registry/src")).context("cargo has downloaded nothing")?;
    let mut folders = registries
        .flatten()
        .map(|entry| entry.path().join(format!("k8s-openapi-{version}")));
    match folders.find(|folder| folder.is_dir()) {
        Some(folder) => Ok(folder),
        None => bail!("k8s-openapi {version} is not there; `cargo fetch` downloads it"),
    }
}

/// Adds the parts of all Rust files below a folder, by their paths.
fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{name}/{file_name}");
        if path.is_dir() {
            collect(&path, &name, files)?;
        } else if file_name == "mod.rs" || file_name == "lib.rs" {
            files.insert(name, fs::read_to_string(&path)?);
        } else if file_name.ends_with(".rs") {
            let text = fs::read_to_string(&path)?;
            files.insert(name, parts(&text).unwrap_or(text));
        }
    }
    Ok(())
}

/// Returns the parts of a file that the front end looks at: the declaration, and behind it what tells names, the need for metadata, and
/// the description of a type without fields. Returns `None` if the file declares no type.
fn parts(text: &str) -> Option<String> {
    let structure = text.find("\npub struct ");
    let before = structure.and_then(|start| text.get(..start)).unwrap_or(text);
    let start = before.find("\npub enum ").or(structure)? + 1;
    let first = text.get(start..)?.lines().next()?.trim_end();
    let end = if first.ends_with([';', '}']) {
        start + text.get(start..)?.find('\n').unwrap_or(text.len() - start)
    } else {
        start + text.get(start..)?.find("\n}")? + 2
    };
    let mut kept = text.get(..end)?.to_owned();
    let rest = text.get(end..)?;
    let mut keep = |from: &str, to: &str| {
        let found = rest.find(from).and_then(|start| rest.get(start..));
        let found = found.and_then(|found| found.get(..found.find(to)? + to.len()));
        if let Some(found) = found {
            kept.push('\n');
            kept.push_str(found);
        }
    };
    keep("Ok(match v {", "_ => ");
    keep("metadata: value_metadata.unwrap_or_default()", ")");
    if first.ends_with(';') {
        keep("\"description\": ", "\n");
        keep("description: Some(", "\n");
    }
    Some(kept)
}

/// Returns the file. Equal texts, which most minor versions share, are in it once.
fn pack(version: &str, checksum: &str, files: &BTreeMap<String, String>) -> Vec<u8> {
    let mut index = String::new();
    let mut texts = Vec::new();
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (path, text) in files {
        let (start, length) = *places.entry(text).or_insert_with(|| {
            let packed = compress_to_vec(text.as_bytes(), LEVEL);
            let place = (texts.len(), packed.len());
            texts.extend(packed);
            place
        });
        // Writing to a string cannot fail.
        let _ = writeln!(index, "{path} {start} {length}");
    }
    let header = format!(
        "kgen source 1, of k8s-openapi {version} {checksum}\n{}\n",
        index.len()
    );
    [header.into_bytes(), index.into_bytes(), texts].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
/// A host.
pub struct Host {
    pub host_ip: Option<std::string::String>,
}

impl Host {
    fn merge() {}
    fn visit_str(self) {
        Ok(match v {
            \"hostIP\" => Field::Key_host_ip,
            _ => Field::Other,
        })
    }
}
";

    #[test]
    fn the_parts_are_the_declaration_and_the_names() {
        let expected = "\
/// A host.
pub struct Host {
    pub host_ip: Option<std::string::String>,
}
Ok(match v {
            \"hostIP\" => Field::Key_host_ip,
            _ => ";
        assert_eq!(parts(FILE).unwrap(), expected);
        assert!(parts("mod host;\n").is_none());
    }

    #[test]
    fn equal_texts_are_packed_once() {
        let files = [("a.rs", "one"), ("b.rs", "two"), ("c.rs", "one")];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let packed = pack("0.1.0", "abc", &files.into());
        let text = String::from_utf8_lossy(&packed).into_owned();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "kgen source 1, of k8s-openapi 0.1.0 abc");
        let place = |line: &str| line.split_once(' ').unwrap().1.to_owned();
        assert_eq!(place(lines[2]), place(lines[4]));
        assert_ne!(place(lines[2]), place(lines[3]));
    }
}
