//! The cache of built binaries. A set of binaries is added completely or not at all.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::assets::{KGEN_ASSETS, Release};
use crate::error::{Error, IoContext, Result};
use crate::notice::notice;

/// Returns the folder of a release. Its name contains all versions, so that a changed pin uses a new folder, and the
/// platform, because machines can share a home folder.
pub(super) fn folder(release: &Release) -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let root = root(
        variable(KGEN_ASSETS),
        variable("XDG_CACHE_HOME"),
        variable("HOME"),
    )?;
    let Release {
        kubernetes,
        etcd,
        kwok,
    } = release;
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    Ok(root.join(format!("{kubernetes}-etcd-{etcd}-kwok-{kwok}-{system}-{machine}")))
}

fn root(own: Option<OsString>, cache: Option<OsString>, home: Option<OsString>) -> Result<PathBuf> {
    if let Some(own) = own {
        // Go builds in another folder, in which a relative path would be wrong.
        let own = PathBuf::from(own);
        return std::path::absolute(&own).context("find", &own);
    }
    let cache = match (cache.map(PathBuf::from).filter(|path| path.is_absolute()), home) {
        (Some(cache), _) => cache,
        (None, Some(home)) => PathBuf::from(home).join(".cache"),
        (None, None) => {
            return Err(Error::Io {
                doing: "find the cache folder in",
                path: PathBuf::from("$HOME"),
                source: std::io::Error::other("HOME is not set; set it, or KGEN_ASSETS"),
            });
        }
    };
    Ok(cache.join("kgen").join("control-plane"))
}

/// Creates `folder`: `fill` writes into a temporary folder next to it, which is then renamed. If several processes try
/// this, one does it and the others wait for the result.
pub(super) fn install(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let root = folder.parent().unwrap_or(folder);
    std::fs::create_dir_all(root).context("make the folder", root)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let _lock = lock(&root.join(format!(".{name}.lock")))?;
    if folder.is_dir() {
        return Ok(());
    }
    // Only the holder of the lock builds, so an unfinished folder is left over from an interrupted build.
    let unfinished = root.join(format!(".{name}.unfinished"));
    if unfinished.exists() {
        std::fs::remove_dir_all(&unfinished).context("remove", &unfinished)?;
    }
    std::fs::create_dir(&unfinished).context("make the folder", &unfinished)?;
    let filled =
        fill(&unfinished).and_then(|()| std::fs::rename(&unfinished, folder).context("rename", &unfinished));
    if filled.is_err() {
        let _ = std::fs::remove_dir_all(&unfinished);
    }
    filled
}

fn lock(path: &Path) -> Result<File> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .context("open", path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            notice("the control plane binaries are being built already; waiting");
            file.lock().context("lock", path)?;
        }
        Err(TryLockError::Error(source)) => return Err(source).context("lock", path),
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_cache_is_where_the_variables_say() {
        let root = |own: Option<&str>, cache: Option<&str>, home: Option<&str>| {
            root(own.map(Into::into), cache.map(Into::into), home.map(Into::into)).ok()
        };
        assert_eq!(
            root(Some("/own"), Some("/cache"), Some("/home/me")),
            Some("/own".into())
        );
        assert_eq!(
            root(None, Some("/cache"), Some("/home/me")),
            Some("/cache/kgen/control-plane".into())
        );
        assert_eq!(
            root(None, Some("relative"), Some("/home/me")),
            Some("/home/me/.cache/kgen/control-plane".into())
        );
        assert_eq!(root(None, None, None), None);
    }

    #[test]
    fn of_several_builders_one_builds() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("1.36.4");
        let builds = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    install(&folder, |target| {
                        builds.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(50));
                        std::fs::write(target.join("etcd"), "").unwrap();
                        Ok(())
                    })
                    .unwrap();
                    assert!(folder.join("etcd").is_file());
                });
            }
        });
        assert_eq!(builds.into_inner(), 1);
    }

    #[test]
    fn a_failed_build_leaves_nothing_and_can_be_repeated() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("1.36.4");
        let failure = || Error::GoMissing {
            cache: PathBuf::new(),
        };
        install(&folder, |_| Err(failure())).unwrap_err();
        assert!(!folder.exists());
        assert_eq!(
            std::fs::read_dir(root.path()).unwrap().count(),
            1,
            "the lock alone"
        );
        install(&folder, |_| Ok(())).unwrap();
        assert!(folder.is_dir());
    }
}
