//! The source of the `kgen-runtime` dependency in a new project.
//!
//! For a released kgen, the source is the registry, at the version of kgen. For a kgen that was built from a checkout, it
//! is that checkout, because its version can be unreleased. `init` reports the choice unless the user made it.

use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem};

/// The checkout that this crate was built from; empty for a release.
const CHECKOUT: &str = env!("KGEN_CHECKOUT");

/// The repository that the checkout was cloned from; empty if it is not known.
const REMOTE: &str = env!("KGEN_REMOTE");

/// The repository of kgen.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The library that every project depends on.
const RUNTIME: &str = "kgen-runtime";

/// Checks that an address is a URL, which cargo requires.
fn check_address(address: &str) -> Result<(), Problem> {
    if address.contains("://") {
        return Ok(());
    }
    let message = format!("cargo cannot read `{address}`, because it is not a URL");
    let short = address.split_once('@').zip(address.split_once(':'));
    let help = match short {
        // The short form of git: `git@github.com:kgen-rs/kgen`.
        Some((_, (host, path))) => format!("write `git=ssh://{host}/{path}`"),
        None => format!("write a URL, such as `git={REPOSITORY}`"),
    };
    Err(Problem::general(Code::Usage, message).help(help))
}

/// The source of the `kgen-runtime` dependency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KgenSource {
    /// The registry, at the version of this kgen.
    Registry,
    /// A checkout on this machine.
    Path(PathBuf),
    /// A git repository.
    Git(String),
}

impl KgenSource {
    /// Parses the value of `--kgen-source`: `registry`, `path=…` or `git=…`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "registry" {
            return Some(Self::Registry);
        }
        match text.split_once('=')? {
            (_, "") => None,
            ("path", path) => Some(Self::Path(path.into())),
            ("git", address) => Some(Self::Git(address.to_owned())),
            _ => None,
        }
    }

    /// Returns the source for this kgen: the registry for a release, otherwise its checkout. Returns the repository that
    /// the checkout was cloned from if the checkout was deleted or is a temporary one of cargo.
    #[must_use]
    pub fn of_this_kgen() -> Self {
        Self::of_build(CHECKOUT, REMOTE, has_runtime)
    }

    fn of_build(checkout: &str, remote: &str, has_runtime: impl Fn(&Path) -> bool) -> Self {
        if checkout.is_empty() {
            return Self::Registry;
        }
        let folder = Path::new(checkout);
        let parts: Vec<_> = folder.components().map(|part| part.as_os_str()).collect();
        let is_cargos = parts.windows(2).any(|pair| pair == ["git", "checkouts"]);
        if is_cargos || !has_runtime(folder) {
            let known = Some(remote).filter(|remote| !remote.is_empty());
            Self::Git(known.unwrap_or(REPOSITORY).to_owned())
        } else {
            Self::Path(folder.to_owned())
        }
    }

    /// Checks that a folder that the user named is a checkout of kgen, and that cargo can read the address of a repository.
    pub(crate) fn check(&self, working_folder: &Path) -> Result<(), Problem> {
        let path = match self {
            Self::Registry => return Ok(()),
            Self::Git(address) => return check_address(address),
            Self::Path(path) => path,
        };
        let folder = kgen_build::absolute(working_folder, path);
        if has_runtime(&folder) {
            return Ok(());
        }
        let message = format!(
            "`{}` is not a checkout of kgen: it has no `crates/{RUNTIME}/Cargo.toml`",
            path.display()
        );
        Err(Problem::general(Code::Usage, message)
            .help(format!("clone it: `git clone {REPOSITORY}`"))
            .help("or write `--kgen-source registry`"))
    }

    /// Returns the line that reports the choice.
    #[must_use]
    pub fn report(&self) -> String {
        match self {
            Self::Registry => format!(
                "{RUNTIME} {} comes from the registry\n",
                env!("CARGO_PKG_VERSION")
            ),
            Self::Path(path) => format!(
                "{RUNTIME} comes from {}, the checkout that this kgen was built from; `--kgen-source` changes that\n",
                path.display()
            ),
            Self::Git(address) => format!(
                "{RUNTIME} comes from {address}, the repository that this kgen was built from; \
                 `--kgen-source` changes that\n"
            ),
        }
    }

    /// Returns the folder of the checkout, if the project depends on one.
    pub(crate) fn checkout(&self, working_folder: &Path) -> Option<String> {
        match self {
            Self::Path(path) => Some(kgen_build::absolute(working_folder, path).display().to_string()),
            Self::Registry | Self::Git(_) => None,
        }
    }

    /// Returns the dependency on a crate of kgen as it is written in `Cargo.toml`.
    pub(crate) fn dependency(&self, package: &str, feature: &str, working_folder: &Path) -> String {
        let place = match self {
            Self::Registry => format!("version = {:?}", env!("CARGO_PKG_VERSION")),
            Self::Path(path) => {
                let folder = kgen_build::absolute(working_folder, path);
                let folder = folder.join("crates").join(package);
                format!("path = {:?}", folder.display().to_string())
            }
            Self::Git(address) => format!("git = {address:?}"),
        };
        format!("{{ {place}, features = [{feature:?}] }}")
    }

    /// Returns the source that a scaffolded `Cargo.toml` has: the reverse of [`dependency`](Self::dependency).
    pub(crate) fn of_manifest(text: &str) -> Option<Self> {
        let start = format!("{RUNTIME} = {{ ");
        let rest = text.lines().find_map(|line| line.strip_prefix(start.as_str()))?;
        let (key, value) = rest.split_once(" = \"")?;
        let (value, _) = value.split_once('"')?;
        match key {
            "version" => Some(Self::Registry),
            "git" => Some(Self::Git(value.to_owned())),
            "path" => {
                let folder = Path::new(value).parent()?.parent()?;
                Some(Self::Path(folder.to_owned()))
            }
            _ => None,
        }
    }

    /// Returns the arguments of `cargo install` that install the same version of a package.
    pub(crate) fn install(&self, package: &str, working_folder: &Path) -> String {
        match self {
            Self::Registry => format!("--locked {package} --version {}", env!("CARGO_PKG_VERSION")),
            Self::Path(path) => {
                let folder = kgen_build::absolute(working_folder, path);
                let folder = folder.join("crates").join(folder_of(package));
                format!("--locked --path {}", folder.display())
            }
            Self::Git(address) => format!("--locked --git {address} {package}"),
        }
    }
}

/// Returns the folder of a package below `crates`.
fn folder_of(package: &str) -> &str {
    match package {
        "kgen-cli" => "kgen",
        other => other,
    }
}

fn has_runtime(folder: &Path) -> bool {
    kgen_build::is_file(&folder.join("crates").join(RUNTIME).join("Cargo.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_uses_the_registry() {
        assert_eq!(
            KgenSource::of_build("", "https://example.com/kgen", |_| true),
            KgenSource::Registry
        );
    }

    #[test]
    fn a_checkout_is_used_while_it_exists() {
        let folder = Path::new("/home/me/kgen");
        assert_eq!(
            KgenSource::of_build("/home/me/kgen", "", |asked| asked == folder),
            KgenSource::Path(folder.to_owned())
        );
    }

    #[test]
    fn otherwise_its_repository_is_used() {
        let fork = "https://example.com/me/kgen";
        for (remote, expected) in [("", REPOSITORY), (fork, fork)] {
            let expected = KgenSource::Git(expected.to_owned());
            assert_eq!(KgenSource::of_build("/home/me/kgen", remote, |_| false), expected);
            let temporary = "/home/me/.cargo/git/checkouts/kgen-5d1c/4ab1c2d";
            assert_eq!(KgenSource::of_build(temporary, remote, |_| true), expected);
        }
    }

    #[test]
    fn this_kgen_was_built_from_this_checkout() {
        let KgenSource::Path(folder) = KgenSource::of_this_kgen() else {
            panic!("{:?}", KgenSource::of_this_kgen());
        };
        assert!(folder.join("crates/kgen-scaffold/src/source.rs").is_file());
    }
}
