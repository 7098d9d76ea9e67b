//! The repository that a checkout was cloned from, as cargo needs it in `git = "…"`.
//!
//! The build script includes this file, so it uses nothing else of this crate.

use std::path::Path;
use std::process::Command;

/// Returns the address of the repository that the checkout in `root` was cloned from. Returns `None` if there is no such
/// address, or if only this machine understands it.
pub(crate) fn of_checkout(root: &Path) -> Option<String> {
    // The variables of a git that runs this build name another repository.
    let output = Command::new("git")
        .args(["config", "--local", "--get", "remote.origin.url"])
        .env_remove("GIT_DIR")
        .current_dir(root)
        .output()
        .ok()?;
    let url = String::from_utf8(output.stdout).ok()?;
    let url = url.trim();
    // Cargo clones its own checkouts from a database on this machine, which remembers the address.
    match url.strip_prefix("file://").map(Path::new) {
        Some(folder) if folder.components().any(|part| part.as_os_str() == "db") => {
            let fetched = std::fs::read_to_string(folder.join("FETCH_HEAD")).ok()?;
            address(fetched_from(&fetched)?)
        }
        _ => address(url),
    }
}

/// Returns the address in git's `FETCH_HEAD`: the last column of the first line, behind the name of the branch.
fn fetched_from(text: &str) -> Option<&str> {
    let column = text.lines().next()?.rsplit('\t').next()?;
    Some(column.rsplit(" of ").next().unwrap_or(column))
}

/// Returns an address as cargo understands it, without the user's password or token.
fn address(url: &str) -> Option<String> {
    if let Some((scheme, rest)) = url.split_once("://") {
        let (host, path) = rest.split_once('/')?;
        let host = match (scheme, host.rsplit_once('@')) {
            ("http" | "https", Some((_, host))) => host,
            _ => host,
        };
        return Some(format!("{scheme}://{host}/{path}"));
    }
    if url.starts_with('/') {
        return Some(format!("file://{url}"));
    }
    // The short form of ssh: `git@host:owner/name.git`.
    let (host, path) = url.split_once(':')?;
    let is_host = host.contains('@') && !host.contains('/');
    is_host.then(|| format!("ssh://{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_that_cargo_understands() {
        for (url, expected) in [
            ("https://example.com/a/kgen", Some("https://example.com/a/kgen")),
            (
                "https://me:secret@example.com/a/kgen.git",
                Some("https://example.com/a/kgen.git"),
            ),
            (
                "git@example.com:a/kgen.git",
                Some("ssh://git@example.com/a/kgen.git"),
            ),
            (
                "ssh://git@example.com:2222/a/kgen",
                Some("ssh://git@example.com:2222/a/kgen"),
            ),
            ("/srv/git/kgen.git", Some("file:///srv/git/kgen.git")),
            ("file:///srv/git/kgen.git", Some("file:///srv/git/kgen.git")),
            ("../kgen", None),
            ("", None),
        ] {
            assert_eq!(address(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn the_address_is_behind_the_branch() {
        for (line, expected) in [
            (
                "4ab1c2d\t\thttps://example.com/kgen\n",
                "https://example.com/kgen",
            ),
            (
                "4ab1c2d\tnot-for-merge\tbranch 'main' of https://example.com/kgen\n4ab\t\tx",
                "https://example.com/kgen",
            ),
        ] {
            assert_eq!(fetched_from(line), Some(expected));
        }
    }

    #[test]
    fn a_clone_and_the_checkouts_of_cargo_know_their_repository() {
        let folder = tempfile::tempdir().unwrap();
        let git = |path: &Path, arguments: &[&str]| {
            let status = Command::new("git")
                .args(arguments)
                .current_dir(path)
                .status()
                .unwrap();
            assert!(status.success(), "{arguments:?}");
        };
        let (clone, database) = (
            folder.path().join("clone"),
            folder.path().join("git/db/kgen-5d1c"),
        );
        std::fs::create_dir_all(&clone).unwrap();
        std::fs::create_dir_all(&database).unwrap();
        git(&clone, &["init", "--quiet"]);
        assert_eq!(of_checkout(&clone), None, "without a remote");
        git(&clone, &["remote", "add", "origin", "git@example.com:a/kgen"]);
        assert_eq!(
            of_checkout(&clone).as_deref(),
            Some("ssh://git@example.com/a/kgen")
        );
        std::fs::write(
            database.join("FETCH_HEAD"),
            "4ab1c2d\t\thttps://example.com/a/kgen\n",
        )
        .unwrap();
        let url = format!("file://{}", database.display());
        git(&clone, &["remote", "set-url", "origin", &url]);
        assert_eq!(of_checkout(&clone).as_deref(), Some("https://example.com/a/kgen"));
    }
}
