//! Programs in Go that kgen is compared with, built once from the module proxy.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::controller_gen;
use crate::workspace::finish;

/// A program, and the Go that it was built with.
pub struct GoProgram {
    /// The program.
    pub program: PathBuf,
    /// The Go that built it, such as `go1.26.8`.
    pub go: String,
}

impl GoProgram {
    /// Builds the main package of a module, in a module that requires it; `None` if there is no Go.
    pub fn find_or_build(module: &str, version: &str) -> Result<Option<Self>> {
        let Ok(output) = Command::new("go").args(["env", "GOVERSION"]).output() else {
            return Ok(None);
        };
        let go = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let name = module.rsplit('/').next().unwrap_or(module);
        let folder = controller_gen::cache_folder()?.join(format!("{name}-{version}-{go}"));
        let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        if !program.is_file() {
            fs::create_dir_all(&folder)?;
            let workplace = tempfile::tempdir_in(&folder)?;
            let manifest = format!("module kgen.local/bench\n\ngo 1.25\n\nrequire {module} {version}\n");
            fs::write(workplace.path().join("go.mod"), manifest)?;
            let mut build = Command::new("go");
            build
                .args(["build", "-mod=mod", "-trimpath", "-o"])
                .arg(&program)
                .arg(module)
                .current_dir(workplace.path());
            finish(build)?;
        }
        Ok(Some(Self { program, go }))
    }
}
