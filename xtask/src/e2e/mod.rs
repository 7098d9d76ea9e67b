//! `cargo xtask e2e`: runs all tests that need a real control plane, and counts lost objects.
//!
//! The binaries of the control plane are built first if they do not exist. The test programs are built like in `cargo
//! test --workspace`, so that nothing is built twice, and then run one after the other, because each starts several
//! control planes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::amounts;
use crate::snapshots;
use crate::table::{Side, Table};
use crate::test_output::{self, Counts, Report};
use crate::workspace::{Workspace, finish};

/// The test programs: package and target. A test checks that the list is complete.
const SUITES: &[(&str, &str)] = &[
    ("kgen-testenv", "control_plane"),
    ("kgen-runtime", "controller_e2e"),
    ("kgen-runtime", "validate_e2e"),
    ("kgen-runtime", "webhook_e2e"),
    ("kgen-fake", "apply_server"),
    ("kgen-fake", "kubectl"),
    ("kgen-fake", "side_by_side"),
    ("kgen-cli", "api_server"),
    ("kgen-cli", "diff_server"),
    ("kgen-cli", "packages"),
    ("kgen-cli", "pages"),
    ("kgen-cli", "scaffold"),
    ("foo-operator", "e2e"),
    ("foo-operator", "readme"),
    ("memcached-operator", "e2e"),
    ("promise-types", "api_server"),
    ("kgen-compiled", "conversion_e2e"),
];

/// The tests that run on the fake and on a control plane: package and target. Only their second half runs here.
const BOTH: &[(&str, &str)] = &[
    ("kgen-fake", "kube_controller"),
    ("foo-operator", "controller"),
    ("memcached-operator", "controller"),
];

/// The part of the names of tests that need a control plane, among those of `BOTH`.
const SECOND_HALF: &str = "::on_control_plane";

/// The slow test: only `--soak` runs it.
const SOAK: (&str, &str) = ("foo-operator", "soak");

/// Stores verdicts of a control plane as test data; it does nothing unless requested.
#[cfg(test)]
const RECORDER: (&str, &str) = ("kgen-schema", "record");

/// The command that builds the binaries of the control plane.
const CONTROL_PLANE: &str = "kgen-control-plane";

/// The variable that decides about tests without a control plane.
const POLICY: &str = "KGEN_E2E";

/// The options of `e2e`.
#[derive(clap::Args)]
pub struct Options {
    /// Run only the suites of these packages, or these suites, such as `fake` or `conversion`.
    #[arg(conflicts_with = "soak", value_name = "PACKAGE|SUITE")]
    packages: Vec<String>,

    /// Number of random requests that the fake and the API server must answer alike.
    #[arg(long, value_name = "NUMBER")]
    requests: Option<u64>,

    /// Number of the first random sequence of requests.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Run only the soak test: three replicas of the Foo operator with faults.
    #[arg(long)]
    soak: bool,

    /// Duration of the faults.
    #[arg(long, value_name = "MINUTES", default_value_t = 10, requires = "soak")]
    minutes: u32,

    /// Number of Foos.
    #[arg(long, value_name = "NUMBER", default_value_t = 2000, requires = "soak")]
    foos: u32,
}

impl Options {
    fn suites(&self) -> Vec<(&'static str, &'static str)> {
        if self.soak {
            return vec![SOAK];
        }
        let is_named = |(package, target): &(&str, &str)| {
            let suite = target.strip_suffix("_e2e").unwrap_or(target);
            let short = package.strip_prefix("kgen-").unwrap_or(package);
            let mut names = self.packages.iter();
            names.any(|name| [*package, short, *target, suite].contains(&name.as_str()))
        };
        let suites = SUITES.iter().chain(BOTH).copied();
        suites
            .filter(|suite| self.packages.is_empty() || is_named(suite))
            .collect()
    }
}

/// Runs the suites and prints a table. Returns an error if a test failed or an object was lost.
pub fn run(workspace: &Workspace, options: &Options) -> Result<Counts> {
    let suites = options.suites();
    if suites.is_empty() {
        let known: Vec<_> = SUITES
            .iter()
            .chain(BOTH)
            .map(|(package, target)| format!("{target} of {package}"))
            .collect();
        bail!("there is no such suite, only {}", known.join(", "));
    }
    let programs = if options.soak {
        // The package of the second one also has the command.
        build(workspace, &[SOAK, ("kgen-testenv", "control_plane")])?
    } else {
        // Only the wanted suites, and the package with the command.
        let mut wanted = suites.clone();
        wanted.push(("kgen-testenv", "control_plane"));
        build(workspace, &wanted)?
    };
    let program = |package: &str, target: &str| {
        let key = (package.to_owned(), target.to_owned());
        programs
            .get(&key)
            .with_context(|| format!("cargo has not built `{target}` of {package}"))
    };
    // Before the tests, so that they do not run out of time meanwhile.
    let mut binaries = Command::new(&program("kgen-testenv", CONTROL_PLANE)?.file);
    binaries.arg("--build-only").stdout(Stdio::null());
    finish(binaries)?;

    let mut results = Vec::new();
    for (package, target) in suites {
        println!("\n── {package}: {target}");
        let begin = Instant::now();
        let filter = BOTH.contains(&(package, target)).then_some(SECOND_HALF);
        let report = run_suite(program(package, target)?, filter, options)?;
        results.push((format!("{package} {target}"), report, begin.elapsed()));
    }
    println!("\n{}", summary(&results));
    let mut counts = Counts::default();
    let mut failed = Vec::new();
    for (name, report, _) in &results {
        counts.add(report.counts());
        if !report.is_good() {
            failed.push(format!("{name} failed\n{}", report.failures()));
        }
    }
    if !failed.is_empty() {
        bail!("{}", failed.join("\n"));
    }
    Ok(counts)
}

/// Returns all suites, as a step of CI.
pub fn run_all(workspace: &Workspace) -> Result<Counts> {
    run(
        workspace,
        &Options {
            packages: Vec::new(),
            requests: None,
            seed: None,
            soak: false,
            minutes: 0,
            foos: 0,
        },
    )
}

/// Returns the reason why CI skips this, if any: without Go and without binaries there is no control plane.
pub fn reason_to_skip() -> Option<String> {
    reason(&std::env::var(POLICY).unwrap_or_default(), || {
        is_set("KUBEBUILDER_ASSETS") || has_cached_binaries() || has_go()
    })
}

fn reason(policy: &str, can_be_had: impl Fn() -> bool) -> Option<String> {
    match policy {
        "off" => Some(format!("{POLICY}=off")),
        "" | "auto" if !can_be_had() => Some("there is neither Go nor a control plane".to_owned()),
        // `required`, or a typo: `kgen-testenv` fails if there are no binaries.
        _ => None,
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Returns whether the cache of `kgen-testenv` has any binaries. It checks later whether they are the right ones.
fn has_cached_binaries() -> bool {
    let folder = |variable: &str| {
        std::env::var_os(variable)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let below_cache = |cache: PathBuf| cache.join("kgen/control-plane");
    let root = folder("KGEN_ASSETS")
        .or_else(|| folder("XDG_CACHE_HOME").map(below_cache))
        .or_else(|| folder("HOME").map(|home| below_cache(home.join(".cache"))));
    let entries = root.and_then(|root| std::fs::read_dir(root).ok());
    entries
        .into_iter()
        .flatten()
        .flatten()
        .any(|entry| entry.path().join("kube-apiserver").is_file())
}

fn has_go() -> bool {
    let version = Command::new("go").arg("version").output();
    version.is_ok_and(|output| output.status.success())
}

/// A program that cargo has built.
struct Program {
    file: PathBuf,
    /// The folder of its package, in which cargo would run it.
    folder: PathBuf,
}

/// Cargo's message about a built artifact.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    target: Target,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// Builds these suites and the command; programs by package and target.
fn build(workspace: &Workspace, suites: &[(&str, &str)]) -> Result<BTreeMap<(String, String), Program>> {
    let mut cargo = workspace.cargo();
    cargo.args([
        "test",
        "--workspace",
        "--no-run",
        "--message-format=json-render-diagnostics",
    ]);
    let mut targets: Vec<_> = suites.iter().map(|(_, target)| *target).collect();
    targets.sort_unstable();
    targets.dedup();
    cargo.args(targets.iter().flat_map(|target| ["--test", target]));
    let output = cargo
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the tests cannot be built");
    }
    let mut programs = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(artifact) = serde_json::from_str::<Artifact>(line) else {
            continue;
        };
        let (Some(file), Some(folder)) = (artifact.executable, artifact.manifest_path.parent()) else {
            continue;
        };
        if artifact
            .target
            .kind
            .iter()
            .any(|kind| kind == "test" || kind == "bin")
        {
            let package = package_name(&artifact.manifest_path)?;
            let folder = folder.to_owned();
            programs.insert((package, artifact.target.name), Program { file, folder });
        }
    }
    Ok(programs)
}

fn package_name(manifest: &Path) -> Result<String> {
    let text = std::fs::read_to_string(manifest)?;
    let name = text.lines().find_map(|line| line.strip_prefix("name = \""));
    let name = name.and_then(|name| name.strip_suffix('"'));
    Ok(name
        .with_context(|| format!("{} names no package", manifest.display()))?
        .to_owned())
}

fn run_suite(program: &Program, filter: Option<&str>, options: &Options) -> Result<Report> {
    let mut command = Command::new(&program.file);
    command.args(filter);
    snapshots::only_compare(&mut command);
    command
        .current_dir(&program.folder)
        // Like cargo; a program that was not started by cargo knows it from its compiler.
        .env("CARGO_MANIFEST_DIR", &program.folder)
        // The others run with all tests.
        .env(POLICY, "only");
    if options.soak {
        command
            .env("KGEN_SOAK_SECONDS", (u64::from(options.minutes) * 60).to_string())
            .env("KGEN_SOAK_FOOS", options.foos.to_string());
    }
    for (variable, value) in [
        ("KGEN_FAKE_REQUESTS", options.requests),
        ("KGEN_FAKE_SEED", options.seed),
    ] {
        if let Some(value) = value {
            command.env(variable, value.to_string());
        }
    }
    test_output::follow(command)
}

fn summary(results: &[(String, Report, Duration)]) -> String {
    let mut table = Table::new(&[
        ("suite", Side::Left),
        ("tests", Side::Right),
        ("time", Side::Right),
        ("lost", Side::Left),
        ("result", Side::Left),
    ]);
    for (name, report, took) in results {
        let result = if report.is_good() { "passed" } else { "FAILED" };
        let cells = [&report.tests(), &amounts::time(*took), &report.lost(), result];
        let mut row = vec![name.clone()];
        row.extend(cells.map(str::to_owned));
        table.row(row);
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_is_listed() {
        let workspace = Workspace::find().unwrap();
        let mut found = Vec::new();
        let folders = ["crates", "testdata"].map(|folder| std::fs::read_dir(workspace.path(folder)).unwrap());
        for entry in folders.into_iter().flatten() {
            let package = entry.unwrap().path();
            for entry in std::fs::read_dir(package.join("tests")).into_iter().flatten() {
                let path = entry.unwrap().path();
                let main = if path.is_dir() {
                    path.join("main.rs")
                } else {
                    path.clone()
                };
                let text = std::fs::read_to_string(main).unwrap_or_default();
                // `skip` is for suites whose judges are other programs than a control plane.
                let marks = ["kgen_testenv::suite", "kgen_testenv::skip", "\non_both!("];
                if marks.iter().any(|mark| text.contains(mark)) {
                    let target = path.file_stem().unwrap().to_string_lossy().into_owned();
                    found.push((package_name(&package.join("Cargo.toml")).unwrap(), target));
                }
            }
        }
        found.sort();
        let mut listed: Vec<_> = SUITES
            .iter()
            .chain(BOTH)
            .chain([&SOAK, &RECORDER])
            .map(|(package, target)| ((*package).to_owned(), (*target).to_owned()))
            .collect();
        listed.sort();
        assert_eq!(
            listed, found,
            "SUITES lists the tests that are run with a control plane"
        );
    }

    #[test]
    fn it_is_left_out_where_there_is_nothing_or_nobody_wants_it() {
        assert_eq!(reason("off", || true).as_deref(), Some("KGEN_E2E=off"));
        assert_eq!(
            reason("", || false).as_deref(),
            Some("there is neither Go nor a control plane")
        );
        assert_eq!(reason("", || true), None);
        assert_eq!(reason("required", || false), None);
    }

    #[test]
    fn the_table_shows_what_was_lost() {
        let report = |lines: &[&str]| {
            let mut report = Report::default();
            lines.iter().for_each(|line| report.read(line));
            report.ended(true);
            report
        };
        let good = report(&[
            "lost: 0 of 30 Foos, conflicts",
            "lost: 0 of 1000 Foos, all at once",
            "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 6s",
        ]);
        let bad = report(&[
            "lost: 2 of 30 Foos, conflicts",
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 6s",
        ]);
        let quiet = report(&[
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 6s",
        ]);
        let results = [
            ("foo-operator e2e".to_owned(), good, Duration::from_secs(50)),
            ("bar-operator e2e".to_owned(), bad, Duration::from_secs(5)),
            ("kgen-cli api_server".to_owned(), quiet, Duration::from_secs(9)),
        ];
        insta::assert_snapshot!(summary(&results), @"
        suite                 tests    time  lost           result
        foo-operator e2e          7  50.0 s  0 in 2 counts  passed
        bar-operator e2e     2 of 3  5.00 s  2 in 1 count   FAILED
        kgen-cli api_server       3  9.00 s                 passed
        ");
    }
}
