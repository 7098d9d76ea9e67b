//! Lists the templates, so that a new file does not have to be registered.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of this package that do not contain templates.
const OTHERS: &[&str] = &["src", "target"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    // The folder itself, so that a new set is found.
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&root)? {
        let path = entry?.path();
        let is_other = OTHERS.iter().any(|other| path == root.join(other));
        if path.is_dir() && !is_other {
            collect(&path, &mut files)?;
        }
    }
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        let (set, path) = name.split_once('/').ok_or("a template is in a folder")?;
        let path = path.trim_end_matches(".jinja");
        writeln!(
            text,
            "    Template {{ set: {set:?}, path: {path:?}, text: include_str!({:?}) }},",
            file.display().to_string()
        )?;
    }
    text.push_str("]\n");
    let output = PathBuf::from(std::env::var("OUT_DIR")?).join("templates.rs");
    fs::write(output, text)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
