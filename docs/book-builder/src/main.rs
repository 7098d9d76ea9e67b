//! Builds the book in the folder given as argument, and compiles its blocks of Rust that are whole programs.
//!
//! `cargo xtask book` calls this and then checks the links of the pages.

use anyhow::{Context, Result};
use mdbook_driver::MDBook;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).context("usage: book-builder FOLDER")?;
    let mut book = MDBook::load(std::path::PathBuf::from(folder))?;
    book.build()?;
    book.test(Vec::new())
}
