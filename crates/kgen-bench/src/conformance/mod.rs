//! `cargo xtask conformance`: whether kgen describes the types of Kubernetes as controller-gen does.
//!
//! Every type is embedded in a kind, in Go and in Rust, at the same minor version. The real controller-gen reads the
//! one and kgen the other, and their schemas are compared key by key, descriptions apart. The result is a page of the
//! documentation. A difference without a reason on that page is an error.

mod compare;
pub mod holders;
mod page;
mod types;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use self::compare::{Difference, differences};
use self::types::Type;
use crate::bench::controller_gen::ControllerGen;
use crate::overlay;
use crate::workspace::{Workspace, finish, shown};

const PAGE: &str = "docs/book/src/kubernetes-types.md";

/// The options of `conformance`.
#[derive(clap::Args)]
pub struct Options {
    /// Compare only these minor versions, such as `1.36`, without changing the page.
    #[arg(long, value_name = "MINOR", value_delimiter = ',')]
    minor: Vec<String>,
    /// Fail if the page would change, without writing it.
    #[arg(long)]
    check: bool,
    /// Compare this program instead of building kgen.
    #[arg(long, value_name = "FILE")]
    kgen: Option<PathBuf>,
}

/// The results for all types at one minor version.
pub struct Round {
    /// The minor, such as `1.36`.
    pub minor: String,
    /// Every type, and where the two tools differ.
    pub types: Vec<(Type, Found)>,
}

/// The result for one type.
pub struct Found {
    /// How many fields it has, with those of the types inside it.
    pub fields: usize,
    /// Where the two tools differ.
    pub differences: Vec<Difference>,
}

/// Compares all types at all minors, and writes the page.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let Some(controller_gen) = ControllerGen::find_or_install()? else {
        println!("skipped: there is no Go to run controller-gen with");
        return Ok(());
    };
    let kgen = match &options.kgen {
        Some(program) => fs::canonicalize(program).with_context(|| format!("no {}", program.display()))?,
        None => build(workspace)?,
    };
    let versions: Result<Vec<&str>> = if options.minor.is_empty() {
        Ok(overlay::VERSIONS.to_vec())
    } else {
        options
            .minor
            .iter()
            .map(|minor| overlay::version_of(minor))
            .collect()
    };
    let mut rounds = Vec::new();
    for version in versions? {
        let round = compare_all(workspace, &controller_gen, &kgen, version)?;
        println!("{}", page::summary(&round));
        rounds.push(round);
    }
    let unexplained = page::unexplained(&rounds);
    if !unexplained.is_empty() {
        bail!("differences without a reason:\n{}", unexplained.join("\n"));
    }
    if options.minor.is_empty() {
        settle(workspace, &page::render(&rounds), options.check)?;
    }
    Ok(())
}

/// Returns the debug build of kgen, which writes the same as any other.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--package", "kgen-cli"]);
    finish(command)?;
    let program = format!("kgen{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target_folder()?.join("debug").join(program))
}

/// Runs both tools on all types of one version.
fn compare_all(
    workspace: &Workspace,
    controller_gen: &ControllerGen,
    kgen: &Path,
    version: &str,
) -> Result<Round> {
    let minor = overlay::minor_of(version)?;
    let types = types::all();
    let folder = tempfile::tempdir()?;
    let (go, rust) = (folder.path().join("go"), folder.path().join("rust"));
    let release = holders::Release::of(workspace, version)?;
    holders::write_go(&go, &types, &release)?;
    holders::write_rust(&rust, &types, &release)?;
    // kgen describes the metadata of embedded objects unless told otherwise, controller-gen only when told so.
    let options = [
        "crd:generateEmbeddedObjectMeta=true,maxDescLen=0",
        "output:dir=out",
    ];
    run_in(&go, &controller_gen.program, &options, "paths=./...")?;
    run_in(&rust, kgen, &options, "paths=./src")?;
    let compared = types.into_iter().map(|each| {
        let name = format!("{}_{}.yaml", holders::GROUP, each.plural());
        let read = |folder: &Path| schema(&folder.join("out").join(&name));
        let (theirs, ours) = (read(&go)?, read(&rust)?);
        let found = Found {
            fields: compare::fields(&theirs),
            differences: differences(&theirs, &ours),
        };
        Ok((each, found))
    });
    Ok(Round {
        minor,
        types: compared.collect::<Result<_>>()?,
    })
}

fn run_in(folder: &Path, program: &Path, options: &[&str], paths: &str) -> Result<()> {
    let mut command = Command::new(program);
    command.args(options).arg(paths).current_dir(folder);
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    if !output.status.success() {
        bail!(
            "`{}` failed:\n{}",
            shown(&command),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

/// Returns the schema of the type in a definition.
fn schema(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let definition: Value =
        serde_saphyr::from_str(&text).with_context(|| format!("{} is not YAML", path.display()))?;
    let found =
        definition.pointer("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/value");
    found
        .cloned()
        .with_context(|| format!("{} describes no type", path.display()))
}

fn settle(workspace: &Workspace, expected: &str, check: bool) -> Result<()> {
    let path = workspace.path(PAGE);
    if fs::read_to_string(&path).unwrap_or_default() == expected {
        return Ok(());
    }
    if check {
        bail!("out of date: {PAGE}; `cargo xtask conformance` repairs it");
    }
    fs::write(&path, expected).with_context(|| format!("cannot write {PAGE}"))?;
    println!("wrote {PAGE}");
    Ok(())
}
