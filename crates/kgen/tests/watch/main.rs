//! `kgen watch`: each change gives one run, and the files of a fresh `kgen generate`.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use support::kgen;

/// Longer than any run takes on a busy machine.
const WATCHDOG: Duration = Duration::from_secs(120);

const SOURCE: &str = "//! +groupName=example.com\n//! +versionName=v1\n\npub struct Kiln {\n    pub metadata: \
                      k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,\n    pub spec: Spec,\n}\n\npub struct Spec \
                      {\n    // +kubebuilder:validation:Minimum=1\n    pub size: i32,\n}\n";

struct Watch {
    child: Child,
    lines: Receiver<String>,
    root: PathBuf,
    _folder: tempfile::TempDir,
}

/// The configuration of most tests.
const PROJECT: &str = "paths = [\"api\"]\n\n[crd]\noutput = \"crds\"\n";

impl Watch {
    fn start(arguments: &[&str]) -> Self {
        Self::start_with(PROJECT, arguments)
    }

    fn start_with(project: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(root.join("api")).unwrap();
        fs::write(root.join("kgen.toml"), project).unwrap();
        fs::write(root.join("api/v1.rs"), SOURCE).unwrap();
        let mut child = kgen(&root)
            .args(["watch", "--verbose"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            lines,
            root,
            _folder: folder,
        }
    }

    /// Waits for the line with a text, and returns the lines up to it.
    fn until(&self, text: &str) -> String {
        let mut seen = String::new();
        loop {
            let line = self
                .lines
                .recv_timeout(WATCHDOG)
                .unwrap_or_else(|_| panic!("`{text}` does not come after:\n{seen}"));
            seen.push_str(&line);
            seen.push('\n');
            if line.contains(text) {
                return seen;
            }
        }
    }

    /// Waits until kgen has run once and then sees no change. Returns the output of the run.
    fn run(&self) -> String {
        let output = self.idle();
        assert_eq!(output.matches("Z ").count(), 1, "more than one run:\n{output}");
        output
    }

    /// Waits until kgen waits for changes. Returns the output up to there.
    fn idle(&self) -> String {
        self.until("watching ")
    }

    /// Replaces a file in one step, as editors do.
    fn save(&self, name: &str, text: &str) {
        let aside = self.root.join("aside");
        fs::write(&aside, text).unwrap();
        fs::rename(aside, self.root.join(name)).unwrap();
    }

    /// Presses Ctrl-C. Returns the remaining output, and whether the exit code is 0.
    fn stop(self) -> (String, bool) {
        self.stop_by("-INT")
    }

    fn stop_by(mut self, signal: &str) -> (String, bool) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        let is_success = self.child.wait().unwrap().success();
        (self.lines.iter().collect::<Vec<_>>().join("\n"), is_success)
    }
}

/// Returns the CRDs that a fresh run generates.
fn fresh(root: &Path) -> kgen_golden::Tree {
    let copy = tempfile::tempdir().unwrap();
    let mut files = kgen_golden::read(root).unwrap();
    files.retain(|name, _| !name.starts_with("crds/"));
    kgen_golden::write(copy.path(), &files).unwrap();
    assert!(kgen(copy.path()).arg("generate").status().unwrap().success());
    kgen_golden::read(&copy.path().join("crds")).unwrap()
}

#[test]
fn each_change_gives_one_run() {
    let watch = Watch::start(&[]);
    let mut output = watch.run();
    assert!(output.contains("1 file written"), "{output}");
    let step = |what: &str, expected: &str, is_clean: bool| {
        let output = watch.run();
        assert!(output.contains(expected), "{what}: {output}");
        if is_clean {
            let crds = kgen_golden::read(&watch.root.join("crds")).unwrap();
            assert_eq!(crds, fresh(&watch.root), "{what}");
        }
        output
    };
    watch.save("api/v1.rs", &SOURCE.replace("Minimum=1", "Minimum=2"));
    step("a change", "1 file written", true);
    watch.save(
        "api/v1.rs",
        &SOURCE.replace("Minimum=1", "Minimum=2 ").replace("2 ", "2"),
    );
    step("the same text", "0 files written", true);
    watch.save("api/v1.rs", &SOURCE.replace("Minimum=1", "Minimun=1"));
    output = step("a mistake", "nothing was written", false);
    assert!(output.contains("unknown-marker"), "{output}");
    watch.save("api/v1.rs", "pub struct {");
    step("a syntax error", "nothing was written", false);
    watch.save("api/v1.rs", SOURCE);
    step("the repair", "1 file written", true);
    let second = SOURCE.replace("Kiln", "Oven");
    watch.save("api/v2.rs", &second.replace("versionName=v1", "versionName=v2"));
    step("a new file", "1 file written", true);
    fs::rename(watch.root.join("api/v2.rs"), watch.root.join("api/other.rs")).unwrap();
    step("a renamed file", "0 files written", true);
    fs::remove_file(watch.root.join("api/other.rs")).unwrap();
    step("a removed file", "1 file written", true);
    watch.save(
        "kgen.toml",
        "paths = [\"api\"]\n\n[crd]\noutput = \"crds\"\nmax-desc-len = 0\n",
    );
    step("another configuration", "written", true);
    fs::rename(watch.root.join("api"), watch.root.join("away")).unwrap();
    step("a folder that disappears", "nothing was written", false);
    fs::rename(watch.root.join("away"), watch.root.join("api")).unwrap();
    step("the folder again", "0 files written", true);
    watch.save("Cargo.toml", "[package]\nname = \"kiln\"\n");
    step("a new manifest", "0 files written", true);
    watch.save("Cargo.toml", "[package]\nname = \"oven\"\n");
    step("a change of the manifest", "0 files written", true);
    assert!(watch.stop().1, "Ctrl-C is the end that the user wants");
}

#[test]
fn a_new_folder_of_kgen_below_the_source_gives_no_second_run() {
    let watch = Watch::start_with("[crd]\noutput = \"config/crds\"\n", &["--exec", "sleep 1000"]);
    let output = watch.run();
    assert!(output.contains("1 file written"), "{output}");
    let (rest, is_success) = watch.stop();
    // The command of the first run was still there.
    assert!(is_success && rest.contains("the command was stopped"), "{rest}");
}

#[test]
fn another_branch_gives_the_files_of_a_fresh_run() {
    let watch = Watch::start(&["--poll", "0.01"]);
    watch.run();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=somebody",
                "-c",
                "user.email=somebody@example.org",
            ])
            .args(["-c", "commit.gpgSign=false", "-c", "core.autocrlf=false"])
            .args(arguments)
            .current_dir(&watch.root)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "api", "kgen.toml"]);
    git(&["commit", "--quiet", "--message=one"]);
    git(&["checkout", "--quiet", "-b", "other"]);
    fs::create_dir(watch.root.join("api/deep")).unwrap();
    for (name, kind) in [("api/deep/oven.rs", "Oven"), ("api/v1.rs", "Stove")] {
        watch.save(name, &SOURCE.replace("Kiln", kind));
    }
    watch.save("kgen.toml", &format!("{PROJECT}max-desc-len = 0\n"));
    git(&["add", "api", "kgen.toml"]);
    git(&["commit", "--quiet", "--message=other"]);
    // A checkout writes file by file, so the number of runs is open, but not their result. The mistake says when a run has seen
    // all files, and its end gives exactly one run.
    let settle = |what: &str| {
        watch.save("api/fence.rs", "pub struct {");
        watch.until("fence.rs");
        watch.idle();
        fs::remove_file(watch.root.join("api/fence.rs")).unwrap();
        let output = watch.run();
        assert!(output.contains("written"), "{what}: {output}");
        let crds = kgen_golden::read(&watch.root.join("crds")).unwrap();
        assert_eq!(crds, fresh(&watch.root), "{what}");
    };
    settle("a commit");
    git(&["checkout", "--quiet", "main"]);
    settle("a checkout");
    git(&["checkout", "--quiet", "other"]);
    settle("back again");
    assert!(watch.stop().1);
}

#[test]
fn a_mistake_in_the_first_configuration_is_found_again_when_it_is_gone() {
    let watch = Watch::start_with("pathz = [\"api\"]\n", &[]);
    let output = watch.run();
    assert!(output.contains("the configuration has errors"), "{output}");
    watch.save("kgen.toml", PROJECT);
    let output = watch.run();
    assert!(output.contains("1 file written"), "{output}");
    assert!(watch.stop().1);
}

#[test]
fn only_a_run_that_changes_something_stops_the_command() {
    let watch = Watch::start(&["--exec", "echo started; sleep 1000"]);
    watch.run();
    watch.save("api/v1.rs", &SOURCE.replace("Minimum=1", "Minimun=1"));
    let mistake = watch.run();
    watch.save("api/v1.rs", SOURCE);
    let same = watch.run();
    assert!(mistake.contains("nothing was written"), "{mistake}");
    assert!(same.contains("0 files written"), "{same}");
    assert!(!(mistake + &same).contains("the command"));
    watch.save("api/v1.rs", &SOURCE.replace("Minimum=1", "Minimum=2"));
    let changed = watch.run();
    assert!(
        changed.contains("1 file written") && changed.contains("the command was stopped"),
        "{changed}"
    );
    let (rest, is_success) = watch.stop();
    assert!(
        is_success && rest.contains("the command was stopped"),
        "the command was started again: {rest}"
    );
}

#[test]
fn the_result_of_a_command_is_shown() {
    let watch = Watch::start(&["crd", "paths=api", "output:dir=crds", "--exec", "exit 3"]);
    let output = watch.until("the command ended");
    assert!(output.contains('3'), "{output}");
    assert!(watch.stop().1);
}

#[test]
fn a_new_file_below_a_path_with_dots_gives_a_run() {
    let watch = Watch::start(&["crd", "paths=./api/...", "output:dir=crds"]);
    watch.run();
    let oven = SOURCE.replace("Kiln", "Oven");
    watch.save("api/v2.rs", &oven.replace("versionName=v1", "versionName=v2"));
    let output = watch.run();
    assert!(output.contains("1 file written"), "{output}");
    assert!(watch.stop().1);
}

#[test]
fn a_request_to_end_stops_the_command() {
    let watch = Watch::start(&["--exec", "sleep 1000"]);
    watch.run();
    let (rest, is_success) = watch.stop_by("-TERM");
    assert!(is_success && rest.contains("the command was stopped"), "{rest}");
}
