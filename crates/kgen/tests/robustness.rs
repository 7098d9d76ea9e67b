//! The state after failures: killed runs, concurrent runs, folders that cannot be written.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Kinds in the API: enough files that a kill hits the middle of writing them.
const KINDS: usize = 40;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kgen"));
    command
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn kgen(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn generate(folder: &Path) {
    let output = kgen(folder, &["generate"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Writes a project with an API whose definitions all say `word`.
fn project(folder: &Path, word: &str) {
    fs::write(folder.join("kgen.toml"), "paths = [\"api\"]\n[crd]\n").unwrap();
    fs::create_dir_all(folder.join("api")).unwrap();
    fs::write(folder.join("api/v1.rs"), api(word)).unwrap();
}

fn api(word: &str) -> String {
    let mut text = "//! +groupName=pottery.example.org\n".to_owned();
    for number in 0..KINDS {
        write!(
            text,
            "/// {word}.\npub struct Kiln{number} {{ pub metadata: ObjectMeta, pub spec: Spec{number} }}\n\
             /// {word}.\n#[derive(Serialize, Deserialize)]\npub struct Spec{number} {{ "
        )
        .unwrap();
        for field in 0..8 {
            write!(text, "/// {word}.\npub field_{field}: String, ").unwrap();
        }
        text.push_str("}\n");
    }
    text.push_str("use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\nuse serde::{Deserialize, Serialize};\n");
    text
}

/// Returns every file in the output folder, by name; folders do not have content.
fn output_files(folder: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let Ok(entries) = fs::read_dir(folder.join("config/crd")) else {
        return BTreeMap::new();
    };
    entries
        .map(|entry| {
            let path = entry.unwrap().path();
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                fs::read(&path).ok(),
            )
        })
        .collect()
}

fn is_staging(name: &str) -> bool {
    name.starts_with(".kgen-")
}

/// Returns a number below `limit`, a different one for every call. A random crate is not needed: any spread over the
/// range is enough.
fn random(state: &mut u64, limit: u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % limit.max(1)
}

#[test]
fn runs_that_are_killed_leave_whole_files_and_the_next_run_cleans_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut whole = BTreeMap::new();
    let mut longest = Duration::ZERO;
    for word in ["old", "new"] {
        project(folder, word);
        let start = Instant::now();
        generate(folder);
        longest = longest.max(start.elapsed());
        whole.insert(word, output_files(folder));
    }
    assert_eq!(whole["old"].len(), KINDS);
    assert_ne!(whole["old"], whole["new"]);

    let mut state = u64::from(std::process::id());
    let mut interrupted = 0;
    for round in 0..50 {
        fs::write(
            folder.join("api/v1.rs"),
            api(if round % 2 == 0 { "old" } else { "new" }),
        )
        .unwrap();
        let mut child = command(folder, &["generate"]).spawn().unwrap();
        let delay = random(&mut state, u64::try_from(longest.as_micros()).unwrap() * 5 / 4);
        std::thread::sleep(Duration::from_micros(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = output_files(folder);
        for (name, bytes) in found.iter().filter(|(name, _)| !is_staging(name)) {
            let fits = whole.values().any(|files| files.get(name) == Some(bytes));
            assert!(
                fits,
                "round {round}: {name} is neither the old file nor the new one"
            );
        }
        let complete = found.iter().filter(|(name, _)| !is_staging(name)).count();
        assert_eq!(complete, KINDS, "round {round}: a file was lost");
        interrupted += usize::from(found.keys().any(|name| is_staging(name)));
    }
    println!("{interrupted} of 50 runs were killed while writing");

    project(folder, "new");
    generate(folder);
    assert_eq!(
        output_files(folder),
        whole["new"],
        "no leftovers, and everything is as it should be"
    );
}

#[test]
fn what_a_killed_run_left_is_removed_and_what_a_living_run_uses_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    project(folder, "word");
    let out = folder.join("config/crd");
    for name in [".kgen-1-0.tmp", ".kgen-2-0.tmp", ".kgen-3-0.tmp"] {
        fs::create_dir_all(out.join(name)).unwrap();
    }
    fs::write(out.join(".kgen-1-0.tmp/lock"), "").unwrap();
    fs::write(out.join(".kgen-1-0.tmp/0"), "half a fi").unwrap();
    let lock = fs::File::create(out.join(".kgen-3-0.tmp/lock")).unwrap();
    lock.lock().unwrap();
    fs::write(out.join(".kgen-3-0.tmp/0"), "in use").unwrap();
    generate(folder);
    let staging: Vec<_> = output_files(folder)
        .into_keys()
        .filter(|name| is_staging(name))
        .collect();
    assert_eq!(staging, [".kgen-3-0.tmp"]);
    drop(lock);
    generate(folder);
    assert!(
        !output_files(folder).keys().any(|name| is_staging(name)),
        "a run that has nothing to write cleans up too"
    );
}

#[test]
fn runs_at_the_same_time_do_not_disturb_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for round in 0..5 {
        project(folder, &format!("round {round}"));
        let children: Vec<Child> = (0..4)
            .map(|_| command(folder, &["generate"]).spawn().unwrap())
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        assert!(kgen(folder, &["verify"]).status.success());
        assert_eq!(output_files(folder).len(), KINDS);
    }
}

#[test]
fn a_folder_that_cannot_be_created_stops_the_run_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    project(folder, "word");
    fs::write(folder.join("kgen.toml"), "[[set]]\npaths = [\"api\"]\ncrd = { output = \"a/b/c\" }\n[[set]]\npaths = [\"api\"]\ncrd = { output = \"file/d\" }\n").unwrap();
    fs::write(folder.join("file"), "mine").unwrap();
    let output = kgen(folder, &["generate"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("error[io]"), "{text}");
    assert!(
        !folder.join("a").exists(),
        "the folders of the first set are gone again"
    );
    assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_stops_the_run_before_anything_is_written() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    project(folder, "word");
    let out = folder.join("config/crd");
    fs::create_dir_all(&out).unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o555)).unwrap();
    let arguments = ["generate", "--message-format", "json"];
    let output = if fs::write(out.join("probe"), "").is_ok() {
        // The superuser may write everywhere, so another user runs a copy that is accessible to it.
        fs::remove_file(out.join("probe")).unwrap();
        let program = folder.join("kgen");
        // Copied by another process: a program that another thread's child still holds open for writing cannot be started.
        let copied = Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_kgen"))
            .arg(&program)
            .status();
        assert!(copied.unwrap().success());
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .uid(65534)
            .gid(65534)
            .output()
            .unwrap()
    } else {
        kgen(folder, &arguments)
    };
    fs::set_permissions(&out, fs::Permissions::from_mode(0o755)).unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("\"code\":\"io\"") && text.contains("make the folder writable"),
        "{text}"
    );
    assert!(output_files(folder).is_empty());
}

#[cfg(unix)]
#[test]
fn links_and_permissions_of_generated_files_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    project(folder, "old");
    generate(folder);
    let path = folder.join("config/crd/pottery.example.org_kiln0s.yaml");
    let behind = folder.join("behind.yaml");
    fs::rename(&path, &behind).unwrap();
    symlink(&behind, &path).unwrap();
    fs::set_permissions(&behind, fs::Permissions::from_mode(0o640)).unwrap();
    project(folder, "new");
    generate(folder);
    assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
    assert!(fs::read_to_string(&behind).unwrap().contains("description: new."));
    assert_eq!(fs::metadata(&behind).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_file_that_is_as_it_should_be_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    project(folder, "word");
    generate(folder);
    let path = folder.join("config/crd/pottery.example.org_kiln0s.yaml");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    generate(folder);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
}

#[cfg(unix)]
#[test]
fn what_is_no_source_beside_the_source_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    project(folder, "word");
    // An editor's lock is a link to nowhere; its copies begin with a dot as well.
    std::os::unix::fs::symlink("someone@somewhere.1", folder.join("api/.#v1.rs")).unwrap();
    fs::write(folder.join("api/.v1.rs"), "// +kubebuilder:unheard\n").unwrap();
    let made = Command::new("mkfifo").arg(folder.join("api/pipe.rs")).status();
    assert!(made.unwrap().success());
    generate(folder);
}

#[test]
fn a_file_that_is_no_text_is_reported_where_that_begins() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    project(folder, "word");
    fs::write(folder.join("api/v2.rs"), b"pub struct Kiln;\n// Caf\xe9 \xff\n").unwrap();
    let output = kgen(folder, &["generate"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("error[syntax]: this file is not UTF-8 text"),
        "{text}"
    );
    assert!(text.contains("api/v2.rs:2:7"), "{text}");
    assert!(output_files(folder).is_empty());
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    project(folder.path(), "word");
    let mut child = command(folder.path(), &["crd", "paths=api", "output:stdout"])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Writes an API of many modules that share a type, in the last of which something may be wrong.
fn many_modules(folder: &Path, last_field: &str) {
    fs::create_dir_all(folder.join("api")).unwrap();
    let mut modules = "//! +groupName=pottery.example.org\npub mod shared;\n".to_owned();
    for number in 0..70 {
        writeln!(modules, "pub mod v{}kiln;", number + 1).unwrap();
        let field = if number == 69 {
            last_field
        } else {
            "pub glaze: String,"
        };
        fs::write(
            folder.join(format!("api/v{}kiln.rs", number + 1)),
            format!(
                "//! +versionName=v1\n\nuse k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n\
                 use serde::{{Deserialize, Serialize}};\nuse super::shared::Size;\n\
                 pub struct Kiln{number} {{ pub metadata: ObjectMeta, pub spec: Spec }}\n\
                 #[derive(Serialize, Deserialize)]\npub struct Spec {{ pub size: Size, {field} }}\n"
            ),
        )
        .unwrap();
    }
    fs::write(folder.join("api/mod.rs"), modules).unwrap();
    fs::write(
        folder.join("api/shared.rs"),
        "use serde::{Deserialize, Serialize};\n/// How large.\n#[derive(Serialize, Deserialize)]\n\
         pub struct Size { pub width: u16 }\n",
    )
    .unwrap();
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let answers = |last_field: &str| -> Vec<Output> {
        let folder = tempfile::tempdir().unwrap();
        many_modules(folder.path(), last_field);
        ["1", "2", "5"]
            .map(|threads| {
                command(folder.path(), &["crd", "paths=api", "output:stdout"])
                    .env("KGEN_THREADS", threads)
                    .output()
                    .unwrap()
            })
            .into()
    };
    let clean = answers("pub glaze: String,");
    assert!(clean[0].status.success());
    let text = String::from_utf8_lossy(&clean[0].stdout).into_owned();
    assert_eq!(text.matches("kind: CustomResourceDefinition").count(), 70);
    assert!(clean.iter().all(|output| *output == clean[0]));

    let wrong = answers("pub glaze: Glaze, pub ratio: f64,");
    let text = String::from_utf8_lossy(&wrong[0].stderr).into_owned();
    assert_eq!(wrong[0].status.code(), Some(1), "{text}");
    assert_eq!(text.matches("error[").count(), 2, "{text}");
    assert!(wrong.iter().all(|output| *output == wrong[0]));
}
