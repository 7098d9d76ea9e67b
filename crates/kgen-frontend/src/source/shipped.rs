//! The source of k8s-openapi that ships with kgen, so that a kind with a pod template does not read a hundred files.
//!
//! A published version never changes, so its source is known by the checksum in `Cargo.lock`. `cargo xtask overlay --source` packs
//! the parts of each file that the front end looks at. The same reader reads them. A test compares what it finds in each file with
//! what it finds in the published one. Other versions are read from disk.
//!
//! A file of such source begins with two lines: its name and checksum, and the length of the index. The index has a line for each
//! file, sorted: its path, and the place and length of its text behind the index. The texts are not compressed: inflating those of a
//! pod template takes a quarter of the instructions of parsing them.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// The start of the first line of a file; the version and the checksum follow.
const HEADER: &str = "kgen source 1, of k8s-openapi ";

/// All packages whose source ships with kgen.
static PACKAGES: [&[u8]; 1] = [include_bytes!("../../data/k8s-openapi-0.29.0.source")];

/// The source of one package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shipped {
    checksum: &'static str,
    index: &'static [u8],
    texts: &'static [u8],
}

impl Shipped {
    /// Returns the package with a checksum.
    pub(crate) fn of_checksum(checksum: &str) -> Option<Self> {
        // A test reads every file, so all of them are valid.
        let mut packages = PACKAGES.iter().filter_map(|file| Self::of(file));
        packages.find(|package| package.checksum == checksum)
    }

    fn of(file: &'static [u8]) -> Option<Self> {
        let (first, rest) = line(file)?;
        let (length, rest) = line(rest)?;
        let (index, texts) = rest.split_at_checked(length.parse().ok()?)?;
        Some(Self {
            checksum: first.strip_prefix(HEADER)?.split_once(' ')?.1,
            index,
            texts,
        })
    }

    /// Returns the text of a file of the package.
    fn text(self, path: &str) -> Option<&'static [u8]> {
        let mut rest = self.index;
        while !rest.is_empty() {
            let (before, behind) = rest.split_at_checked(rest.len() / 2)?;
            let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
            let end = before.len() + memchr::memchr(b'\n', behind)?;
            let mut words = rest.get(start..end)?.split(|byte| *byte == b' ');
            match path.as_bytes().cmp(words.next()?) {
                Ordering::Less => rest = rest.get(..start)?,
                Ordering::Greater => rest = rest.get(end + 1..)?,
                Ordering::Equal => {
                    let mut number = || std::str::from_utf8(words.next()?).ok()?.parse::<usize>().ok();
                    let (start, length) = (number()?, number()?);
                    return self.texts.get(start..start.checked_add(length)?);
                }
            }
        }
        None
    }
}

/// Splits the first line off, which is text.
fn line(bytes: &'static [u8]) -> Option<(&'static str, &'static [u8])> {
    let end = memchr::memchr(b'\n', bytes)?;
    let (line, rest) = bytes.split_at_checked(end)?;
    Some((std::str::from_utf8(line).ok()?, rest.get(1..)?))
}

/// A package that ships with kgen, at the folder in which cargo would have its source.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    package: Shipped,
    folder: PathBuf,
    /// The true name of the folder.
    canonical: PathBuf,
}

impl Placed {
    pub(super) fn new(package: Shipped, folder: PathBuf, canonical: PathBuf) -> Self {
        Self {
            package,
            folder,
            canonical,
        }
    }

    /// Returns the text of a file. Returns `None` for a path outside the package, and for one that it does not have.
    pub(super) fn read(&self, path: &Path) -> Option<Vec<u8>> {
        self.package.text(&self.relative(path)?).map(<[u8]>::to_vec)
    }

    /// Returns whether the package has a file; `None` for a path outside the package.
    pub(super) fn is_file(&self, path: &Path) -> Option<bool> {
        Some(self.package.text(&self.relative(path)?).is_some())
    }

    pub(super) fn contains(&self, path: &Path) -> bool {
        path.starts_with(&self.folder)
    }

    /// Returns the true name of a path in the package.
    pub(super) fn canonical(&self, path: &Path) -> Option<PathBuf> {
        Some(self.canonical.join(path.strip_prefix(&self.folder).ok()?))
    }

    fn relative(&self, path: &Path) -> Option<String> {
        Some(kgen_diagnostics::slashes(path.strip_prefix(&self.folder).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use crate::declare::kubernetes::cut;

    fn version_of(file: &'static [u8]) -> &'static str {
        let (first, _) = line(file).unwrap();
        first[HEADER.len()..].split(' ').next().unwrap()
    }

    /// Returns the texts of all Rust files below a folder, by their paths.
    fn texts(folder: &Path, name: &str, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{name}/{}", path.file_name().unwrap().to_string_lossy());
            if path.is_dir() {
                texts(&path, &name, found);
            } else if name.ends_with(".rs") {
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }

    #[test]
    #[allow(clippy::print_stderr, reason = "a skipped test says why")]
    fn the_front_end_finds_the_same_as_in_the_published_files() {
        let home = crate::cargo_home().unwrap();
        for file in PACKAGES {
            let package = Shipped::of(file).unwrap();
            let version = version_of(file);
            let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten();
            let mut folders = registries.map(|entry| entry.unwrap().path());
            let folder = folders.find_map(|registry| {
                let folder = registry.join(format!("k8s-openapi-{version}"));
                folder.is_dir().then_some(folder)
            });
            let Some(folder) = folder else {
                eprintln!("skipped: k8s-openapi {version} is not in the cargo home");
                continue;
            };
            let shipped = |path: &str| {
                let text = package
                    .text(path)
                    .unwrap_or_else(|| panic!("{path} does not ship"));
                std::str::from_utf8(text).unwrap()
            };
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            assert_eq!(shipped("Cargo.toml"), manifest);
            let mut published = Vec::new();
            texts(&folder.join("src"), "src", &mut published);
            let files = package.index.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(files, published.len() + 1);
            for (path, text) in published {
                let ours = shipped(&path);
                // The front end reads modules as a whole, and files without a type.
                let is_whole = path.ends_with("/mod.rs") || path.ends_with("/lib.rs");
                match cut(&text).filter(|_| !is_whole) {
                    None => assert_eq!(ours, text, "{path}"),
                    Some(theirs) => {
                        assert_eq!(cut(ours).as_ref(), Some(&theirs), "{path}");
                        assert_eq!(ours[..theirs.end], text[..theirs.end], "{path}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_file_that_ships_is_in_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
        let names = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names: BTreeSet<_> = names.filter(|name| name.ends_with(".source")).collect();
        let of_file = |file: &&'static [u8]| format!("k8s-openapi-{}.source", version_of(file));
        assert_eq!(names, PACKAGES.iter().map(of_file).collect());
    }

    #[test]
    fn every_file_that_ships_is_valid() {
        for file in PACKAGES {
            let package = Shipped::of(file).unwrap();
            assert_eq!(package.checksum.len(), 64);
            for entry in std::str::from_utf8(package.index).unwrap().lines() {
                let path = entry.split(' ').next().unwrap();
                assert!(std::str::from_utf8(package.text(path).unwrap()).is_ok(), "{path}");
            }
            for path in ["", "Cargo", "Cargo.toml ", "src", "src/nothing.rs", "z"] {
                assert!(package.text(path).is_none(), "{path}");
            }
        }
        assert!(Shipped::of_checksum("").is_none());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for file in [
            "",
            "kgen source 2, of k8s-openapi 0.29.0 abc\n0\n",
            "kgen source 1, of k8s-openapi 0.29.0 abc\n",
            "kgen source 1, of k8s-openapi 0.29.0 abc\n9\na 0 1\n",
        ] {
            assert!(Shipped::of(file.as_bytes()).is_none(), "{file}");
        }
        let of = |file: &'static str| Shipped::of(file.as_bytes()).unwrap();
        let package = of("kgen source 1, of k8s-openapi 0.29.0 abc\n18\na 1 2\nb 0 9\nc x 1\nxyz");
        assert_eq!((package.checksum, package.text("a")), ("abc", Some(&b"yz"[..])));
        assert!(package.text("b").is_none() && package.text("c").is_none());
    }
}
