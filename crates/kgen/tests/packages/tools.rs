//! Tools of others that judge packages and projects, built once with Go from the module proxy.
//!
//! They are in `$XDG_CACHE_HOME/kgen/judges` or `~/.cache/kgen/judges`, one folder for each version and platform. A module that
//! requires the tool is built, because `go install` needs a list of versions that some proxies do not serve.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The variable that asks for the tools whose build takes long: `all`.
const KGEN_JUDGES: &str = "KGEN_JUDGES";

/// A tool at one version.
pub struct Tool {
    pub name: &'static str,
    module: &'static str,
    version: &'static str,
    /// The folder of the program in the module.
    program: &'static str,
    /// Build tags.
    tags: &'static str,
}

pub const HELM_3: Tool = Tool {
    name: "helm-3",
    module: "helm.sh/helm/v3",
    version: "v3.22.0",
    program: "cmd/helm",
    tags: "",
};

pub const HELM_4: Tool = Tool {
    name: "helm-4",
    module: "helm.sh/helm/v4",
    version: "v4.3.1",
    program: "cmd/helm",
    tags: "",
};

pub const ACTIONLINT: Tool = Tool {
    name: "actionlint",
    module: "github.com/rhysd/actionlint",
    version: "v1.7.12",
    program: "cmd/actionlint",
    tags: "",
};

pub const OPERATOR_VERIFY: Tool = Tool {
    name: "operator-verify",
    module: "github.com/operator-framework/api",
    version: "v0.43.0",
    program: "cmd/operator-verify",
    tags: "",
};

pub const OPERATOR_SDK: Tool = Tool {
    name: "operator-sdk",
    module: "github.com/operator-framework/operator-sdk",
    version: "v1.42.2",
    program: "cmd/operator-sdk",
    // Without them, it needs libraries of C.
    tags: "containers_image_openpgp,exclude_graphdriver_btrfs",
};

/// Returns whether the tools whose build takes long are wanted, too.
pub fn all_are_wanted() -> bool {
    std::env::var(KGEN_JUDGES).is_ok_and(|value| value == "all")
}

/// A tool that can be absent.
pub trait Judge: Sync {
    fn name(&self) -> &'static str;

    /// Returns why there is no such tool, if it neither exists nor can be had.
    fn reason_to_skip(&self) -> Option<String>;

    /// Returns the program, which is built or downloaded if it does not exist.
    fn path(&self) -> Result<PathBuf, String>;
}

/// Returns the program of a tool in the folder of all judges.
pub fn program(name: &str, version: &str) -> Result<PathBuf, String> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| Some(variable("HOME")?.join(".cache")))
        .ok_or("HOME is not set")?;
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let folder = format!("{name}-{version}-{system}-{machine}");
    Ok(cache.join("kgen/judges").join(folder).join(name))
}

impl Judge for Tool {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reason_to_skip(&self) -> Option<String> {
        let has_go = || Command::new("go").arg("version").output().is_ok();
        let is_there = self.file().is_ok_and(|file| file.is_file());
        (!is_there && !has_go()).then(|| format!("there is no Go to build {} {}", self.name, self.version))
    }

    fn path(&self) -> Result<PathBuf, String> {
        // One build at a time.
        static BUILD: Mutex<()> = Mutex::new(());
        let _guard = BUILD.lock().map_err(|error| error.to_string())?;
        let file = self.file()?;
        if !file.is_file() {
            self.build(&file)
                .map_err(|error| format!("cannot build {}: {error}", self.name))?;
        }
        Ok(file)
    }
}

impl Tool {
    fn file(&self) -> Result<PathBuf, String> {
        program(self.name, self.version)
    }

    fn build(&self, file: &Path) -> Result<(), String> {
        let folder = file.parent().ok_or("no folder")?;
        let text = |error: std::io::Error| error.to_string();
        fs::create_dir_all(folder).map_err(text)?;
        // Other processes wait for this build.
        let lock = File::create(folder.join(".lock")).map_err(text)?;
        lock.lock().map_err(text)?;
        if file.is_file() {
            return Ok(());
        }
        println!("building {} {} once, with Go", self.module, self.version);
        let workplace = tempfile::tempdir_in(folder).map_err(text)?;
        let module = format!(
            "module kgen.local/judges\n\ngo 1.25\n\nrequire {} {}\n",
            self.module, self.version
        );
        fs::write(workplace.path().join("go.mod"), module).map_err(text)?;
        let built = workplace.path().join("built");
        let output = Command::new("go")
            .args([
                "build",
                "-mod=mod",
                "-buildvcs=false",
                "-trimpath",
                "-tags",
                self.tags,
                "-o",
            ])
            .arg(&built)
            .arg(format!("{}/{}", self.module, self.program))
            .current_dir(workplace.path())
            .env("CGO_ENABLED", "0")
            .env("GOWORK", "off")
            .output()
            .map_err(text)?;
        if !output.status.success() {
            let lines = String::from_utf8_lossy(&output.stderr).into_owned();
            let lines: Vec<&str> = lines.lines().collect();
            return Err(lines[lines.len().saturating_sub(20)..].join("\n"));
        }
        fs::rename(built, file).map_err(text)
    }
}
