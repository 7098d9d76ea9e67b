//! The version: what `kgen -V`, `kgen --version` and `kgen version` show.

/// The version alone.
pub(crate) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// The commit that this was built from, if the build script could find it.
const COMMIT: Option<&str> = option_env!("KGEN_COMMIT");

/// Returns the version with the commit and the supported versions of Kubernetes.
pub(crate) fn long() -> String {
    let commit = COMMIT.map_or_else(String::new, |commit| format!(" ({commit})"));
    let (oldest, newest) = kgen_build::supported_kubernetes_minors();
    format!("{SHORT}{commit}\nKubernetes 1.{oldest} to 1.{newest}")
}
