//! Malicious trees and sources: files that are not kgen's, links, pipes, and small sources that cause endless work. The
//! user's files are never lost, and every run ends.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

#[cfg(unix)]
mod files;
mod sources;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// The time after which a run counts as endless. Every run of these tests takes a small part of this time.
const NEVER: Duration = Duration::from_secs(600);

/// A kind, and the imports that it needs.
const KILN: &str = "//! +groupName=pottery.example.org\n//! +versionName=v1\n\
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\nuse serde::{Deserialize, Serialize};\n\
    /// A kiln.\n// +genclient\npub struct Kiln { pub metadata: ObjectMeta, pub spec: KilnSpec }\n";

/// Returns the specification of that kind, with its fields.
fn spec(fields: &str) -> String {
    format!("#[derive(Serialize, Deserialize)]\npub struct KilnSpec {{ {fields} }}\n")
}

/// Writes a file, and the folders around it.
fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Writes a project with one kind and a `kgen.toml` with these generators.
fn project(folder: &Path, generators: &str) {
    write(folder, "kgen.toml", &format!("paths = [\"api\"]\n{generators}"));
    write(
        folder,
        "api/v1.rs",
        &format!("{KILN}{}", spec("pub glaze: String")),
    );
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_kgen"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs kgen, and fails if it does not end.
fn kgen(folder: &Path, arguments: &[&str]) -> Output {
    let child = start(folder, arguments);
    let id = child.id();
    let (sender, receiver) = std::sync::mpsc::channel();
    // The pipes are read while kgen runs: a full pipe would block it.
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    receiver.recv_timeout(NEVER).unwrap_or_else(|_| {
        let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
        panic!("kgen {arguments:?} never ends")
    })
}

/// Runs kgen, which must succeed.
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = kgen(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

/// Runs kgen, which must print these words and exit with one of its codes.
fn fail(folder: &Path, arguments: &[&str], words: &[&str]) -> String {
    let output = kgen(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        matches!(output.status.code(), Some(1 | 2)),
        "{:?}\n{text}",
        output.status
    );
    for word in words {
        assert!(text.contains(word), "`{word}` is missing in:\n{text}");
    }
    text
}
