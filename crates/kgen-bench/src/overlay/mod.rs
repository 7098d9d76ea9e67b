//! `cargo xtask overlay`: what Kubernetes knows about its own types and the source of k8s-openapi does not say.
//!
//! One file per minor version, in `crates/kgen-frontend/data`: how lists and maps merge, and defaults. They are cut from
//! the OpenAPI documents that an API server of that version serves. Kubernetes publishes them with its source, and the
//! Go module proxy hands that out, so nothing has to be built or started. `--from-server` asks a running one.
//!
//! Beside them is the part of the source of k8s-openapi that the front end reads.

mod documents;
mod go_markers;
mod go_module;
mod source;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::documents::Documents;
pub use self::source::locked as locked_source;
use crate::workspace::Workspace;

/// The versions that facts are extracted from, one per minor version: the newest patch that the Go module proxy has in
/// full. A new minor version also needs a row in the table of `kgen-frontend/src/shape/overlay`; a test there checks it.
pub const VERSIONS: &[&str] = &["v1.33.13", "v1.34.10", "v1.35.8", "v1.36.4", "v1.37.1"];

const FOLDER: &str = "crates/kgen-frontend/data";

/// The options of `overlay`.
#[derive(clap::Args)]
pub struct Options {
    /// Extract only these minor versions, such as `1.36`.
    #[arg(long, value_name = "MINOR", value_delimiter = ',')]
    minor: Vec<String>,
    /// Extract the facts twice without writing, and fail if they differ from each other or from the files.
    #[arg(long)]
    check: bool,
    /// Print the facts instead of packing them.
    #[arg(long, conflicts_with = "check")]
    print: bool,
    /// Pack only the source of k8s-openapi that ships with kgen, at the version of this workspace.
    #[arg(long, conflicts_with_all = ["minor", "print", "from_server", "from_folder"])]
    source: bool,
    /// Read from the API server at this address, such as the address of `kubectl proxy`.
    #[arg(long, value_name = "URL", conflicts_with_all = ["minor", "from_folder"])]
    from_server: Option<String>,
    /// Read the documents in this folder, as in `api/openapi-spec/v3` of Kubernetes. Needs `--version`.
    #[arg(long, value_name = "FOLDER", requires = "version", conflicts_with = "minor")]
    from_folder: Option<PathBuf>,
    /// The version of Kubernetes of the documents in the folder.
    #[arg(long, requires = "from_folder")]
    version: Option<String>,
}

/// Extracts the facts of all requested versions.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut stale = Vec::new();
    let all = options.minor.is_empty() && options.from_server.is_none() && options.from_folder.is_none();
    if all && !options.print {
        let (name, file) = source::packed(workspace)?;
        let path = workspace.path(FOLDER).join(&name);
        if !options.check {
            write(&path, &file)?;
            println!("wrote {name}: {} bytes", file.len());
        } else if fs::read(&path).unwrap_or_default() != file {
            stale.push(name);
        }
    }
    let sources = if options.source {
        Vec::new()
    } else {
        sources(options)?
    };
    for source in sources {
        let facts = cut(&source)?;
        if options.print {
            print!("{facts}");
            continue;
        }
        let version = source.version();
        let file = text::pack(version, &facts);
        let name = format!("kubernetes-{}.facts", minor_of(version)?);
        let path = workspace.path(FOLDER).join(&name);
        if options.check {
            let again = text::pack(version, &cut(&source)?);
            if again != file {
                bail!("{name}: cutting twice gives two files");
            }
            if fs::read(&path).unwrap_or_default() != file {
                stale.push(name);
            }
        } else {
            write(&path, &file)?;
            println!(
                "wrote {name}: {} lines in {} bytes, from {version}",
                facts.lines().count(),
                file.len()
            );
        }
    }
    if !stale.is_empty() {
        bail!(
            "out of date: {}; `cargo xtask overlay` repairs it",
            stale.join(", ")
        );
    }
    Ok(())
}

/// The source of the facts of one version.
enum Source {
    Module { version: String },
    Folder { version: String, folder: PathBuf },
    Server { version: String, address: String },
}

impl Source {
    fn version(&self) -> &str {
        match self {
            Self::Module { version } | Self::Folder { version, .. } | Self::Server { version, .. } => version,
        }
    }
}

fn sources(options: &Options) -> Result<Vec<Source>> {
    if let Some(address) = &options.from_server {
        let version = documents::server_version(address)?;
        return Ok(vec![Source::Server {
            version,
            address: address.clone(),
        }]);
    }
    if let (Some(folder), Some(version)) = (&options.from_folder, &options.version) {
        return Ok(vec![Source::Folder {
            version: version.clone(),
            folder: folder.clone(),
        }]);
    }
    if options.minor.is_empty() {
        return Ok(VERSIONS.iter().map(|version| module(version)).collect());
    }
    let chosen = options.minor.iter().map(|minor| Ok(module(version_of(minor)?)));
    chosen.collect()
}

fn module(version: &str) -> Source {
    Source::Module {
        version: version.to_owned(),
    }
}

/// Returns the version for a minor version such as `1.36`.
pub fn version_of(minor: &str) -> Result<&'static str> {
    let found = VERSIONS
        .iter()
        .find(|version| minor_of(version).is_ok_and(|known| known == minor));
    let known: Vec<_> = VERSIONS
        .iter()
        .filter_map(|version| minor_of(version).ok())
        .collect();
    found
        .copied()
        .with_context(|| format!("{minor} is not one of {}", known.join(", ")))
}

/// Returns the minor version: `1.36` for `v1.36.4`.
pub fn minor_of(version: &str) -> Result<String> {
    let mut parts = version.strip_prefix('v').unwrap_or(version).split('.');
    match (parts.next(), parts.next()) {
        (Some("1"), Some(minor)) if minor.parse::<u32>().is_ok() => Ok(format!("1.{minor}")),
        _ => bail!("`{version}` is not a version of Kubernetes such as v1.36.4"),
    }
}

/// Returns the version of the Go types for a version of Kubernetes: `v0.36.4` for `v1.36.4`.
pub fn go_version(version: &str) -> String {
    version.replacen("v1.", "v0.", 1)
}

/// Returns the facts of one version as text.
fn cut(source: &Source) -> Result<String> {
    let version = source.version();
    let documents = match source {
        Source::Module { version } => {
            let module = go_module::download("k8s.io/kubernetes", version)?;
            Documents::of_folder(&module.join("api/openapi-spec/v3"))?
        }
        Source::Folder { folder, .. } => Documents::of_folder(folder)?,
        Source::Server { address, .. } => Documents::of_server(address)?,
    };
    // A server may be of a patch that the proxy does not have; the markers of a minor do not change.
    let types = version_of(&minor_of(version)?)?;
    let types = go_module::download("k8s.io/api", &go_version(types))?;
    let stated = go_markers::stated_defaults(&types)?;
    Ok(text::render(&documents.facts(&stated)))
}

fn write(path: &Path, file: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, file).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_by_their_minor() {
        assert_eq!(minor_of("v1.36.4").unwrap(), "1.36");
        assert!(minor_of("v2.0.0").is_err() && minor_of("latest").is_err());
        assert!(version_of("1.36").unwrap().starts_with("v1.36."));
        assert!(version_of("1.3").is_err());
        assert_eq!(go_version("v1.36.4"), "v0.36.4");
    }
}
