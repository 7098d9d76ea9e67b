//! `cargo xtask public-crates`: runs kgen on the crates of the registry that have `CustomResource` types.
//!
//! Each crate of `data/public-crates.txt` is unpacked, and `kgen crd` reads it with and without `compat=kube-derive`. The result
//! is a table in the book. A crate that cannot be fetched is an error, so the table never mixes states of kgen.

mod list;
mod outcome;
mod page;
mod source;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use xtask::amounts;

use self::list::Listed;
use self::outcome::{Mode, Outcome};
use crate::workspace::{Workspace, finish};

const LIST: &str = "crates/kgen-bench/data/public-crates.txt";

/// The options of `public-crates`.
#[derive(clap::Args)]
pub struct Options {
    /// Run only these crates, and print their rows without changing the page.
    names: Vec<String>,
    /// Use this program instead of building kgen.
    #[arg(long, value_name = "FILE")]
    kgen: Option<PathBuf>,
}

/// The results for one crate.
pub struct Row {
    listed: Listed,
    compat: Outcome,
    usual: Outcome,
}

/// Runs kgen on all crates and writes the table.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let text = fs::read_to_string(workspace.path(LIST)).with_context(|| format!("cannot read {LIST}"))?;
    let mut crates = list::read(&text)?;
    for name in &options.names {
        if crates.iter().all(|listed| listed.name != *name) {
            bail!("{LIST} does not list `{name}`");
        }
    }
    crates.retain(|listed| options.names.is_empty() || options.names.contains(&listed.name));
    let kgen = match &options.kgen {
        Some(program) => fs::canonicalize(program).with_context(|| format!("no {}", program.display()))?,
        None => build(workspace)?,
    };
    let folder = workspace.target_folder()?.join("public-crates");
    let count = crates.len();
    let mut rows = Vec::new();
    for (index, listed) in crates.into_iter().enumerate() {
        let begin = Instant::now();
        let package = source::unpack(&folder, &listed)?;
        let row = Row {
            compat: outcome::of(&kgen, &package, &listed, Mode::Compat)?,
            usual: outcome::of(&kgen, &package, &listed, Mode::Usual)?,
            listed,
        };
        // The sources of 400 crates are not needed again.
        fs::remove_dir_all(&package)?;
        println!(
            "{} of {count}, {}: {} kinds, {}, {} ({})",
            index + 1,
            row.listed.name,
            row.compat.kinds,
            row.compat.words(),
            row.usual.words(),
            amounts::time(begin.elapsed())
        );
        rows.push(row);
    }
    if options.names.is_empty() {
        page::write(workspace, &rows)?;
    } else {
        print!("{}", page::table(&rows));
    }
    Ok(())
}

/// Builds kgen with optimizations, because the largest crates have hundreds of kinds.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--package", "kgen-cli"]);
    finish(command)?;
    let program = format!("kgen{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace
        .target_folder()?
        .join("release")
        .join(Path::new(&program)))
}
