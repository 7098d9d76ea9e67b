//! `cargo xtask release --dry-run`: everything that a release consists of, short of publishing it.
//!
//! All checks run, even after a failure. Artifacts are in `target/dist`; the commands that publish them are printed at
//! the end and are run by a person.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::publishable::{Metadata, Package, exclude_others, metadata};
use crate::table::{Side, Table};
use crate::workspace::{Workspace, finish, shown};
use crate::{amounts, msrv};

/// The shells that completions are written for, with the names of their files.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "kgen.bash"),
    ("elvish", "kgen.elv"),
    ("fish", "kgen.fish"),
    ("powershell", "_kgen.ps1"),
    ("zsh", "_kgen"),
];

/// The feature of kgen-cli that adds the hidden subcommand `kgen man FOLDER`.
const MAN_FEATURE: &str = "man";

/// The options of `release`.
#[derive(clap::Args)]
pub struct Options {
    /// Prepare and check everything without publishing. This is the only mode: a person publishes.
    #[arg(long)]
    dry_run: bool,

    /// Only print the packages that are not published, one per line.
    #[arg(long, conflicts_with = "dry_run")]
    print_unpublished: bool,
}

/// The release that is prepared.
struct Release<'a> {
    workspace: &'a Workspace,
    packages: Metadata,
    version: String,
    /// The folder of the artifacts.
    dist: PathBuf,
}

/// Prepares the release. Returns whether everything is ready.
pub fn run(workspace: &Workspace, options: &Options) -> Result<bool> {
    let packages = metadata(workspace, &["--no-deps"])?;
    if options.print_unpublished {
        for package in packages
            .packages
            .iter()
            .filter(|package| !package.is_publishable())
        {
            println!("{}", package.name);
        }
        return Ok(true);
    }
    if !options.dry_run {
        bail!("there is only `cargo xtask release --dry-run`, which prints the commands that publish");
    }
    let first = packages.packages.iter().find(|package| package.is_publishable());
    let version = first.context("no package is published")?.version.clone();
    let dist = workspace.target_folder()?.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    fs::create_dir_all(&dist)?;
    let release = Release {
        workspace,
        packages,
        version,
        dist,
    };
    Ok(release.prepare())
}

/// A part of a release: its name, and the function that prepares it and says what it did.
type Part<T> = (&'static str, fn(&T) -> Result<String>);

impl Release<'_> {
    /// Returns the parts in the order in which they are prepared.
    fn parts() -> [Part<Self>; 10] {
        [
            ("versions", Self::check_versions),
            ("metadata", Self::check_metadata),
            ("changelog", Self::check_changelog),
            ("msrv", Self::check_msrv),
            ("packages", Self::package),
            ("binary", Self::build_binary),
            ("completions", Self::write_completions),
            ("man pages", Self::write_man_pages),
            ("checksums", Self::write_checksums),
            ("tag", Self::check_tag),
        ]
    }

    fn prepare(&self) -> bool {
        let mut table = Table::new(&[
            ("part", Side::Left),
            ("time", Side::Right),
            ("result", Side::Left),
        ]);
        let mut is_ready = true;
        for (name, part) in Self::parts() {
            println!("\n── {name}");
            let begin = std::time::Instant::now();
            let (word, text) = match part(self) {
                Ok(text) => ("ready", text),
                Err(error) => {
                    is_ready = false;
                    ("NOT READY", format!("{error:#}"))
                }
            };
            println!("{word}: {text}");
            let first = text.lines().next().unwrap_or_default();
            let result = format!("{word}: {first}");
            table.row(vec![name.to_owned(), amounts::time(begin.elapsed()), result]);
        }
        println!("\n{}", table.render());
        println!("{}", self.next_commands());
        is_ready
    }

    fn published(&self) -> impl Iterator<Item = &Package> {
        self.packages
            .packages
            .iter()
            .filter(|package| package.is_publishable())
    }

    /// Checks that all crates have one version, and that the workspace asks for that version of each.
    fn check_versions(&self) -> Result<String> {
        let others: Vec<_> = self
            .published()
            .filter(|package| package.version != self.version)
            .collect();
        if let Some(other) = others.first() {
            bail!(
                "{} is version {}, and not {}",
                other.name,
                other.version,
                self.version
            );
        }
        let manifest = fs::read_to_string(self.workspace.path("Cargo.toml"))?;
        for package in self.published() {
            let Some(line) = manifest
                .lines()
                .find(|line| line.starts_with(&format!("{} = ", package.name)))
            else {
                continue;
            };
            if !line.contains(&format!("version = \"{}\"", self.version)) {
                bail!(
                    "the workspace asks for another version of {}: {line}",
                    package.name
                );
            }
        }
        Ok(format!(
            "{} crates, all {}",
            self.published().count(),
            self.version
        ))
    }

    fn check_metadata(&self) -> Result<String> {
        let missing: Vec<String> = self
            .published()
            .flat_map(|package| {
                missing(package)
                    .into_iter()
                    .map(|what| format!("{}: {what}", package.name))
            })
            .collect();
        if !missing.is_empty() {
            bail!("metadata is missing:\n{}", missing.join("\n"));
        }
        Ok("description, license, repository, keywords, categories, README and docs.rs settings".to_owned())
    }

    /// Checks the changelog: changes are under `Unreleased` before a release, and under its version afterwards.
    fn check_changelog(&self) -> Result<String> {
        let text = fs::read_to_string(self.workspace.path("CHANGELOG.md"))?;
        let (heading, entries) = changes(&text, &self.version)?;
        fs::write(self.dist.join("NOTES.md"), entries)?;
        Ok(format!("the section `{heading}` is in NOTES.md"))
    }

    fn check_msrv(&self) -> Result<String> {
        msrv::run(self.workspace)?;
        Ok("no dependency needs a newer compiler".to_owned())
    }

    /// Packages every crate and builds it from the packaged files, in the order of their dependencies. Cargo puts them into a
    /// registry of its own for this.
    fn package(&self) -> Result<String> {
        let mut command = self.workspace.cargo();
        command.args(["package", "--workspace", "--allow-dirty"]);
        exclude_others(&mut command, &self.packages.packages);
        finish(command)?;
        let folder = self.workspace.target_folder()?.join("package");
        let mut count = 0;
        for package in self.published() {
            let file = format!("{}-{}.crate", package.name, package.version);
            fs::copy(folder.join(&file), self.dist.join(&file))
                .with_context(|| format!("{file} was not packaged"))?;
            count += 1;
        }
        Ok(format!("{count} crates, each built from its packaged files"))
    }

    fn build_binary(&self) -> Result<String> {
        let mut command = self.workspace.cargo();
        command
            .args(["build", "--release", "--locked", "--package", "kgen-cli"])
            .env("KGEN_RELEASE", "1");
        finish(command)?;
        let name = format!("kgen-{}-{}.tar.gz", self.version, msrv::host(self.workspace)?);
        let mut pack = Command::new("tar");
        pack.arg("-czf")
            .arg(self.dist.join(&name))
            .arg("-C")
            .arg(self.binary()?.parent().context("no folder")?);
        finish({
            pack.arg("kgen");
            pack
        })?;
        Ok(name)
    }

    fn binary(&self) -> Result<PathBuf> {
        Ok(self.workspace.target_folder()?.join("release/kgen"))
    }

    fn write_completions(&self) -> Result<String> {
        let folder = self.dist.join("completions");
        fs::create_dir_all(&folder)?;
        for (shell, file) in SHELLS {
            let output = Command::new(self.binary()?)
                .args(["completions", shell])
                .output()?;
            if !output.status.success() || output.stdout.is_empty() {
                bail!("`kgen completions {shell}` failed");
            }
            fs::write(folder.join(file), output.stdout)?;
        }
        Ok(format!("{} shells", SHELLS.len()))
    }

    fn write_man_pages(&self) -> Result<String> {
        let has_feature = self
            .published()
            .any(|package| package.name == "kgen-cli" && package.features.contains_key(MAN_FEATURE));
        if !has_feature {
            bail!("kgen-cli has no feature `{MAN_FEATURE}`, which adds `kgen man FOLDER`");
        }
        let folder = self.dist.join("man");
        fs::create_dir_all(&folder)?;
        let mut command = self.workspace.cargo();
        command.args([
            "run",
            "--package",
            "kgen-cli",
            "--features",
            MAN_FEATURE,
            "--",
            "man",
        ]);
        command.arg(&folder);
        finish(command)?;
        match fs::read_dir(&folder)?.count() {
            0 => bail!("`kgen man` wrote nothing"),
            count => Ok(format!("{count} pages")),
        }
    }

    fn write_checksums(&self) -> Result<String> {
        let mut files = files_below(&self.dist, &self.dist)?;
        files.sort();
        let mut command = Command::new("sha256sum");
        let output = command
            .args(&files)
            .current_dir(&self.dist)
            .output()
            .context("cannot start sha256sum")?;
        if !output.status.success() {
            bail!(
                "`{}` failed: {}",
                shown(&command),
                String::from_utf8_lossy(&output.stderr)
            );
        }
        fs::write(self.dist.join("SHA256SUMS"), output.stdout)?;
        Ok(format!("{} files in SHA256SUMS", files.len()))
    }

    /// Checks that the tag is new or names this commit, and that this commit has exactly the files of this folder.
    fn check_tag(&self) -> Result<String> {
        let tag = format!("v{}", self.version);
        let git = |arguments: &[&str]| -> Result<String> {
            let output = self
                .workspace
                .command("git")
                .args(arguments)
                .output()
                .context("cannot start git")?;
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let head = git(&["rev-parse", "HEAD"])?;
        // The workflow of a release runs when the tag has been pushed.
        if git(&["tag", "--list", &tag])? == tag && git(&["rev-list", "-n", "1", &tag])? != head {
            bail!("the tag {tag} exists and names another commit");
        }
        let changed = git(&["status", "--porcelain"])?;
        if !changed.is_empty() {
            bail!("these files are not committed:\n{changed}");
        }
        Ok(format!("{tag} at {}", git(&["rev-parse", "--short", "HEAD"])?))
    }

    fn next_commands(&self) -> String {
        let excluded = self
            .packages
            .packages
            .iter()
            .filter(|package| !package.is_publishable());
        let excluded: String = excluded
            .map(|package| format!(" --exclude {}", package.name))
            .collect();
        format!(
            "artifacts are in {}\nto publish them:\n  git tag v{version} && git push origin v{version}\n  cargo publish --workspace{excluded}",
            self.dist.display(),
            version = self.version,
        )
    }
}

/// Returns the metadata that a published package lacks.
fn missing(package: &Package) -> Vec<&'static str> {
    let folder = package.manifest_path.parent().unwrap_or(Path::new("."));
    let has_readme = package
        .readme
        .as_ref()
        .is_some_and(|file| folder.join(file).is_file());
    let docs = package
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.get("docs")?.get("rs"));
    let parts = [
        ("description", package.description.is_some()),
        ("license", package.license.is_some()),
        ("repository", package.repository.is_some()),
        ("rust-version", package.rust_version.is_some()),
        ("keywords", (1..=5).contains(&package.keywords.len())),
        ("categories", (1..=5).contains(&package.categories.len())),
        ("a README of its own", has_readme),
        ("[package.metadata.docs.rs]", docs.is_some()),
    ];
    parts
        .into_iter()
        .filter(|(_, is_there)| !is_there)
        .map(|(name, _)| name)
        .collect()
}

/// Returns the heading and the text of the section about a version, or of the unreleased changes.
fn changes<'t>(text: &'t str, version: &str) -> Result<(&'t str, &'t str)> {
    let sections = text.split("\n## ").skip(1);
    let found = sections
        .map(|section| section.split_once('\n').unwrap_or((section, "")))
        .find(|(heading, _)| *heading == "Unreleased" || heading.split(' ').next() == Some(version));
    let Some((heading, entries)) = found else {
        bail!("CHANGELOG.md has no section `Unreleased` or `{version}`");
    };
    if entries.trim().is_empty() {
        bail!("the section `{heading}` of CHANGELOG.md is empty");
    }
    Ok((heading, entries))
}

/// Returns all files below a folder, as paths from `root`.
fn files_below(folder: &Path, root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path, root)?);
        } else {
            found.push(path.strip_prefix(root)?.to_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_changes_are_released() {
        let text = "# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0 (2026-01-02)\n\n- old\n";
        assert_eq!(changes(text, "0.1.0").unwrap(), ("Unreleased", "\n- new\n"));
        let text = "# Changelog\n\n## 0.1.0 (2026-01-02)\n\n- old\n";
        assert_eq!(changes(text, "0.1.0").unwrap().0, "0.1.0 (2026-01-02)");
        assert!(changes(text, "0.2.0").is_err());
        assert!(changes("# Changelog\n\n## Unreleased\n\n## 0.1.0\n- x", "0.1.0").is_err());
    }

    #[test]
    fn every_published_crate_has_its_metadata() {
        let workspace = Workspace::find().unwrap();
        let packages = metadata(&workspace, &["--no-deps", "--offline"]).unwrap();
        let lacking: Vec<_> = packages
            .packages
            .iter()
            .filter(|package| package.is_publishable())
            .map(|package| (package.name.as_str(), missing(package)))
            .filter(|(_, missing)| !missing.is_empty())
            .collect();
        assert!(lacking.is_empty(), "{lacking:?}");
    }
}
