//! Reads the CRDs of a cluster with the installed kubectl, which knows the user's configuration and credentials.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use kgen_diagnostics::{Code, Problem};

/// A cluster of the user's configuration.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The context; `None` for the current one.
    pub context: Option<String>,
    /// The file of the configuration; `None` for the usual one.
    pub kubeconfig: Option<PathBuf>,
}

impl Cluster {
    /// Returns CRDs of the cluster as JSON: those with these names, or all of them.
    ///
    /// # Errors
    /// If kubectl is not installed, or cannot read them.
    pub fn definitions(&self, names: &[String]) -> Result<String, Problem> {
        let mut command = Command::new("kubectl");
        if let Some(context) = &self.context {
            command.arg(format!("--context={context}"));
        }
        if let Some(kubeconfig) = &self.kubeconfig {
            command.arg("--kubeconfig").arg(kubeconfig);
        }
        let output = command
            .args([
                "get",
                "customresourcedefinitions.apiextensions.k8s.io",
                "--output=json",
            ])
            .args((!names.is_empty()).then_some("--"))
            .args(names)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| {
                Problem::general(Code::Io, format!("cannot run kubectl: {error}"))
                    .help("install kubectl, or save the CRDs with another tool and name the file")
            })?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let line = message.lines().next().unwrap_or_default();
            return Err(Problem::general(
                Code::Io,
                format!("cannot read the CRDs of the cluster: {line}"),
            ));
        }
        String::from_utf8(output.stdout)
            .map_err(|_| Problem::general(Code::Io, "the answer of the cluster is not UTF-8 text"))
    }
}
