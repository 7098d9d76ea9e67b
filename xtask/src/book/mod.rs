//! `cargo xtask book`: builds the documentation and checks its links.
//!
//! mdBook is compiled as a library of `docs/book-builder`, a workspace of its own. Its builder also compiles the blocks of Rust
//! that are whole programs, as `mdbook test` does. `crates/kgen/tests/readme.rs` tests all other blocks.

mod links;

use anyhow::{Result, bail};

use crate::workspace::{Workspace, finish};

/// Builds the book into `target/book` and checks every link.
pub fn run(workspace: &Workspace) -> Result<()> {
    let target = workspace.path("target");
    let mut build = workspace.cargo();
    build
        .args([
            "run",
            "--quiet",
            "--locked",
            "--manifest-path",
            "docs/book-builder/Cargo.toml",
        ])
        .arg("--target-dir")
        .arg(target.join("book-builder"))
        .args(["--", "docs/book"]);
    finish(build)?;
    let pages = target.join("book");
    let checked = links::check_book(&pages, workspace.root())?;
    let files = links::check_files(workspace.root())?;
    let broken: Vec<&String> = checked.broken.iter().chain(&files.broken).collect();
    for problem in &broken {
        eprintln!("error: {problem}");
    }
    if !broken.is_empty() {
        bail!("{} broken links", broken.len());
    }
    println!(
        "{} is complete: {} links between pages and {} links between other files lead somewhere",
        pages.join("index.html").display(),
        checked.count,
        files.count
    );
    Ok(())
}
