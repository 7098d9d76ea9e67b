//! The source of k8s-openapi that ships with kgen, so that a kind with a pod template does not read a hundred files.
//!
//! A published version never changes, so its source is known by the checksum in `Cargo.lock`. `cargo xtask overlay` packs the parts
//! of each file that the front end looks at: the same reader reads them, and a test compares what it finds in each file with what it
//! finds in the published one. Other versions are read from disk.
//!
//! A file of such source begins with two lines: what it is, and the length of the index. The index has a line for each file, with its
//! path, and the place and length of its deflated text behind the index.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// The start of the first line of a file; the version and the checksum follow.
const HEADER: &str = "kgen source 1, of k8s-openapi ";

/// A limit that is larger than any file of k8s-openapi.
const MAX_TEXT: usize = 4 << 20;

/// All packages whose source ships with kgen.
static PACKAGES: [Shipped; 1] = [Shipped::new(include_bytes!(
    "../../data/k8s-openapi-0.29.0.source"
))];

/// The source of one package.
#[derive(Debug)]
pub(crate) struct Shipped {
    file: &'static [u8],
    unpacked: OnceLock<Index>,
}

/// The deflated files of a package, by their paths.
#[derive(Debug, Default)]
struct Index {
    checksum: &'static str,
    files: FxHashMap<&'static str, &'static [u8]>,
}

impl Shipped {
    const fn new(file: &'static [u8]) -> Self {
        Self {
            file,
            unpacked: OnceLock::new(),
        }
    }

    /// Returns the package with a checksum.
    pub(crate) fn of_checksum(checksum: &str) -> Option<&'static Self> {
        PACKAGES
            .iter()
            .find(|package| package.index().checksum == checksum)
    }

    /// A test reads every file, so all of them are valid.
    fn index(&self) -> &Index {
        self.unpacked
            .get_or_init(|| Index::of(self.file).unwrap_or_default())
    }

    /// Returns the text of a file of the package.
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        let packed = self.index().files.get(path)?;
        miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_TEXT).ok()
    }
}

impl Index {
    fn of(file: &'static [u8]) -> Option<Self> {
        let (first, rest) = line(file)?;
        let (length, rest) = line(rest)?;
        let (index, texts) = rest.split_at_checked(length.parse().ok()?)?;
        let mut files = FxHashMap::default();
        for entry in std::str::from_utf8(index).ok()?.lines() {
            let mut words = entry.split(' ');
            let path = words.next()?;
            let start: usize = words.next()?.parse().ok()?;
            let length: usize = words.next()?.parse().ok()?;
            files.insert(path, texts.get(start..start.checked_add(length)?)?);
        }
        Some(Self {
            checksum: first.strip_prefix(HEADER)?.split_once(' ')?.1,
            files,
        })
    }
}

/// Splits the first line off, which is text.
fn line(bytes: &'static [u8]) -> Option<(&'static str, &'static [u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = bytes.split_at(end);
    Some((std::str::from_utf8(line).ok()?, rest.get(1..)?))
}

/// A package that ships with kgen, at the folder in which cargo would have its source.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    package: &'static Shipped,
    folder: PathBuf,
    /// The true name of the folder.
    canonical: PathBuf,
}

impl Placed {
    pub(super) fn new(package: &'static Shipped, folder: PathBuf, canonical: PathBuf) -> Self {
        Self {
            package,
            folder,
            canonical,
        }
    }

    /// Returns the text of a file. Returns `None` for a path outside the package, and for one that it does not have.
    pub(super) fn read(&self, path: &Path) -> Option<Vec<u8>> {
        self.package.text(&self.relative(path)?)
    }

    /// Returns whether the package has a file; `None` for a path outside the package.
    pub(super) fn is_file(&self, path: &Path) -> Option<bool> {
        let path = self.relative(path)?;
        Some(self.package.index().files.contains_key(path.as_str()))
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
        for package in &PACKAGES {
            let (first, _) = line(package.file).unwrap();
            let version = first[HEADER.len()..].split(' ').next().unwrap();
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
                String::from_utf8(text).unwrap()
            };
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            assert_eq!(shipped("Cargo.toml"), manifest);
            let mut published = Vec::new();
            texts(&folder.join("src"), "src", &mut published);
            assert_eq!(package.index().files.len(), published.len() + 1);
            for (path, text) in published {
                let ours = shipped(&path);
                // The front end reads modules as a whole, and files without a type.
                let is_whole = path.ends_with("/mod.rs") || path.ends_with("/lib.rs");
                match cut(&text).filter(|_| !is_whole) {
                    None => assert_eq!(ours, text, "{path}"),
                    Some(theirs) => {
                        assert_eq!(cut(&ours).as_ref(), Some(&theirs), "{path}");
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
        let of_package = |package: &Shipped| {
            let (first, _) = line(package.file).unwrap();
            let version = first[HEADER.len()..].split(' ').next().unwrap();
            format!("k8s-openapi-{version}.source")
        };
        assert_eq!(names, PACKAGES.iter().map(of_package).collect());
    }

    #[test]
    fn every_file_that_ships_is_valid() {
        for package in &PACKAGES {
            let index = Index::of(package.file).unwrap();
            assert_eq!(index.checksum.len(), 64);
            for path in index.files.keys() {
                assert!(String::from_utf8(package.text(path).unwrap()).is_ok(), "{path}");
            }
            assert!(package.text("src/nothing.rs").is_none());
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
            "kgen source 1, of k8s-openapi 0.29.0 abc\n6\na 0 9\n",
        ] {
            assert!(Index::of(file.as_bytes()).is_none(), "{file}");
        }
        let index = Index::of(b"kgen source 1, of k8s-openapi 0.29.0 abc\n6\na 1 2\nxyz").unwrap();
        assert_eq!((index.checksum, index.files["a"]), ("abc", &b"yz"[..]));
    }
}
