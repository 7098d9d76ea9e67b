//! Runs `browser.mjs` on the page of the case `docs`, in Chromium with playwright-core and axe-core of npm.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::support::case::{Case, Order, in_copy};
use super::support::root;

/// The packages of npm, each at one version.
const PACKAGES: [&str; 2] = ["playwright-core@1.56.1", "axe-core@4.11.0"];

/// Runs the checks. Prints why if there is no browser.
pub fn run() -> ExitCode {
    let is_listed = std::env::args().any(|argument| argument == "--list");
    let filter = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    if is_listed || filter.is_some_and(|filter| !"browser".contains(&filter)) {
        return ExitCode::SUCCESS;
    }
    let is_required = std::env::var("KGEN_BROWSER").is_ok_and(|value| value == "required");
    match (browser(), modules()) {
        (Some(browser), Some(modules)) => check(&browser, &modules),
        (browser, _) => {
            let reason = if browser.is_none() {
                "there is no Chromium"
            } else {
                "npm cannot install playwright-core and axe-core"
            };
            println!("test browser ... ignored, {reason}");
            if is_required {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            }
        }
    }
}

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// Returns the folder with the packages, which are installed once.
fn modules() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let folder = cache.join("kgen/judges/browser");
    let is_there = ["playwright-core", "axe-core"]
        .iter()
        .all(|name| folder.join("node_modules").join(name).is_dir());
    if !is_there {
        std::fs::create_dir_all(&folder).ok()?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--prefix"])
            .arg(&folder)
            .args(PACKAGES);
        npm.output().ok().filter(|output| output.status.success())?;
    }
    Some(folder)
}

fn check(browser: &Path, modules: &Path) -> ExitCode {
    let case = Case::new(&root().join("testdata/cases/docs"));
    let folder = case.copy(Order::Forward);
    let generated = in_copy(folder.path())
        .args(["docs:format=html", "paths=./api", "output:dir=out"])
        .output()
        .unwrap();
    assert!(generated.status.success());
    let pictures = root().join("target/pages");
    std::fs::create_dir_all(&pictures).unwrap();
    let output = Command::new("node")
        .arg(root().join("crates/kgen/tests/pages/browser.mjs"))
        .arg(folder.path().join("out/index.html"))
        .arg(modules)
        .arg(browser)
        .arg(&pictures)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        println!("test browser ... ok, {} checks", text.lines().count());
        ExitCode::SUCCESS
    } else {
        println!(
            "test browser ... FAILED\n{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        ExitCode::FAILURE
    }
}
