//! An API that embeds `PodTemplateSpec`, as those of most operators do: the largest type that people embed, of which
//! controller-gen reads the Go source and kgen that of k8s-openapi.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::measure::measure;
use super::report::{Report, Task};
use super::rounds::{Tools, joined, remove};
use crate::conformance::holders::{self, POD_TEMPLATE};
use crate::overlay;
use crate::workspace::Workspace;

/// The API on disk, with folders for the files that are generated from it.
pub struct Pods {
    folder: PathBuf,
}

impl Pods {
    /// Writes the API at the newest minor version of Kubernetes.
    pub fn new(workspace: &Workspace, folder: &Path, with_go: bool) -> Result<Self> {
        let pods = Self {
            folder: folder.join("pod-template"),
        };
        remove(&pods.folder)?;
        let version = overlay::VERSIONS.last().copied().unwrap_or_default();
        let release = holders::Release::of(workspace, version)?;
        holders::write_rust(&pods.rust(), &[POD_TEMPLATE], &release)?;
        if with_go {
            holders::write_go(&pods.go(), &[POD_TEMPLATE], &release)?;
        }
        Ok(pods)
    }

    /// Returns the folder of the API in Rust.
    pub fn rust(&self) -> PathBuf {
        self.folder.join("rust")
    }

    fn go(&self) -> PathBuf {
        self.folder.join("go")
    }

    /// Runs every tool that still has a run to go once.
    pub fn measure_round(&self, tools: &Tools, round: u32, report: &mut Report) -> Result<()> {
        let arguments = |tool: &str, paths: &str| {
            let output = self.folder.join(format!("{tool}-{round}"));
            [
                "crd:generateEmbeddedObjectMeta=true".into(),
                paths.into(),
                joined("output:dir=", &output),
            ]
        };
        let mut found = Vec::new();
        if round <= tools.runs {
            let arguments = arguments("kgen", "paths=./src");
            let run = measure(&tools.kgen, &arguments, &self.rust())?;
            found.push((Task::GeneratePods, run));
        }
        if let Some(other) = tools.controller_gen.as_ref().filter(|_| round <= tools.go_runs) {
            let arguments = arguments("controller-gen", "paths=./...");
            let run = measure(&other.program, &arguments, &self.go())?;
            found.push((Task::ControllerGenPods, run));
        }
        for (task, run) in found.into_iter().filter(|_| round > 0) {
            report.add(1, task, run);
        }
        Ok(())
    }
}
