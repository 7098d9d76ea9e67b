//! Reads revisions with the installed git. Nothing is checked out, and the working tree is not touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use kgen_frontend::{FileSystem, Tree};

/// The most links that are followed.
const MOST_LINKS: usize = 8;

/// A repository around a folder.
#[derive(Clone, Debug)]
pub(crate) struct Repository {
    folder: PathBuf,
    root: PathBuf,
}

impl Repository {
    /// Returns the repository around a folder.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn around(folder: &Path) -> Result<Self, String> {
        // The prefix, unlike the top folder, does not resolve links in the name of the current folder.
        let prefix = run(folder, &["rev-parse", "--show-prefix"])?;
        let depth = Path::new(prefix.trim_end_matches('\n')).components().count();
        let root = folder.ancestors().nth(depth).unwrap_or(folder).to_owned();
        Ok(Self {
            folder: folder.to_owned(),
            root,
        })
    }

    /// Returns the folder of the working tree.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        run(&self.folder, arguments)
    }

    /// Returns the commit that a name stands for.
    pub(crate) fn commit(&self, revision: &str) -> Option<String> {
        if revision.starts_with('-') {
            return None;
        }
        let name = format!("{revision}^{{commit}}");
        let found = self
            .run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])
            .ok()?;
        // Some versions of git print the option, too.
        found
            .lines()
            .last()
            .map(str::to_owned)
            .filter(|commit| !commit.is_empty())
    }

    /// Returns the names of branches and tags.
    pub(crate) fn names(&self) -> Vec<String> {
        let format = "--format=%(refname:short)";
        let found = self.run(&["for-each-ref", format, "refs/heads", "refs/remotes", "refs/tags"]);
        found.unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Returns the name of the default branch.
    pub(crate) fn default_branch(&self) -> Option<String> {
        let stated = self.run(&["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
        let usual = ["origin/main", "origin/master", "main", "master"].map(str::to_owned);
        let stated = stated.ok().map(|name| name.trim().to_owned());
        stated
            .into_iter()
            .chain(usual)
            .find(|name| self.commit(name).is_some())
    }

    /// Returns the commit where the current branch left another one.
    pub(crate) fn merge_base(&self, other: &str) -> Option<String> {
        let found = self.run(&["merge-base", "HEAD", other]).ok()?;
        let commit = found.trim().to_owned();
        (!commit.is_empty()).then_some(commit)
    }

    /// Returns whether history is cut off.
    pub(crate) fn is_shallow(&self) -> bool {
        let found = self.run(&["rev-parse", "--is-shallow-repository"]);
        found.is_ok_and(|answer| answer.trim() == "true")
    }

    /// Returns whether a commit is an ancestor of another one, and not the same.
    pub(crate) fn is_before(&self, earlier: &str, later: &str) -> bool {
        let (Some(earlier), Some(later)) = (self.commit(earlier), self.commit(later)) else {
            return false;
        };
        earlier != later
            && self
                .run(&["merge-base", "--is-ancestor", &earlier, &later])
                .is_ok()
    }

    /// Returns the files of a commit.
    ///
    /// # Errors
    /// The message of git.
    pub(crate) fn tree(&self, commit: &str) -> Result<GitTree, String> {
        let listed = self.run(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        let mut tree = GitTree {
            folder: self.folder.clone(),
            root: self.root.clone(),
            files: BTreeMap::new(),
            folders: BTreeSet::from([self.root.clone()]),
            reader: Mutex::new(None),
        };
        for entry in listed.split('\0') {
            let Some((facts, name)) = entry.split_once('\t') else {
                continue;
            };
            let mut facts = facts.split(' ');
            let (mode, kind, id) = (facts.next(), facts.next(), facts.next());
            // Submodules are commits of other repositories.
            let (Some(mode), Some("blob"), Some(id)) = (mode, kind, id) else {
                continue;
            };
            let path = self.root.join(name);
            let folders = path.ancestors().skip(1).take_while(|folder| *folder != self.root);
            for folder in folders {
                if !tree.folders.insert(folder.to_owned()) {
                    break;
                }
            }
            let is_link = mode == "120000";
            tree.files.insert(path, (id.to_owned(), is_link));
        }
        Ok(tree)
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        // A question must not wait for another git, or block it.
        .arg("--no-optional-locks")
        .args(arguments)
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => "git is not installed".to_owned(),
        _ => format!("cannot run git: {error}"),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let line = message
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    Err(line.trim_start_matches("fatal: ").to_owned())
}

/// The files of a commit, under the names that they have in the working tree. Everything outside is on disk.
pub(crate) struct GitTree {
    folder: PathBuf,
    root: PathBuf,
    /// The object of each file, and whether it is a link.
    files: BTreeMap<PathBuf, (String, bool)>,
    folders: BTreeSet<PathBuf>,
    reader: Mutex<Option<Reader>>,
}

impl fmt::Debug for GitTree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GitTree")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// A process that prints objects.
struct Reader {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Reader {
    fn start(folder: &Path) -> io::Result<Self> {
        let mut process = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(["--no-optional-locks", "cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("git has no standard input or output"));
        };
        Ok(Self {
            process,
            requests,
            answers: BufReader::new(answers),
        })
    }

    fn read(&mut self, id: &str) -> io::Result<Vec<u8>> {
        writeln!(self.requests, "{id}")?;
        self.requests.flush()?;
        let mut header = String::new();
        self.answers.read_line(&mut header)?;
        let size = header
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse::<usize>().ok());
        let size = size.ok_or_else(|| io::Error::other(format!("git does not have the object {id}")))?;
        let mut bytes = vec![0; size];
        self.answers.read_exact(&mut bytes)?;
        let mut line_break = [0];
        self.answers.read_exact(&mut line_break)?;
        Ok(bytes)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It ends by itself when its input is closed; nothing can be done if it does not.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl GitTree {
    fn object(&self, id: &str) -> io::Result<Vec<u8>> {
        let mut reader = self
            .reader
            .lock()
            .map_err(|_| io::Error::other("another thread failed"))?;
        if reader.is_none() {
            *reader = Some(Reader::start(&self.folder)?);
        }
        match reader.as_mut() {
            Some(reader) => reader.read(id),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn is_inside(&self, path: &Path) -> bool {
        path.starts_with(&self.root)
    }

    /// Follows links. Returns the path itself if it is none.
    fn resolved(&self, path: &Path) -> PathBuf {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            // A part of the path may be the link.
            let linked = path.ancestors().find_map(|above| {
                let (id, is_link) = self.files.get(above)?;
                is_link.then(|| (above.to_owned(), id.clone()))
            });
            let Some((link, id)) = linked else { return path };
            let Ok(target) = self.object(&id) else { return path };
            let target = String::from_utf8_lossy(&target).into_owned();
            let around = link.parent().unwrap_or(&self.root);
            let rest = path.strip_prefix(&link).unwrap_or(Path::new("")).to_owned();
            path = cleaned(&around.join(target).join(rest));
        }
        path
    }
}

/// Removes `.` and `..` from a path.
fn cleaned(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                cleaned.pop();
            }
            part => cleaned.push(part),
        }
    }
    cleaned
}

impl Tree for GitTree {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if !self.is_inside(path) {
            return FileSystem.read(path);
        }
        let path = self.resolved(path);
        if !self.is_inside(&path) {
            return FileSystem.read(&path);
        }
        match self.files.get(&path) {
            Some((id, _)) => self.object(id),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
        if !self.is_inside(folder) {
            return FileSystem.list(folder);
        }
        let true_folder = self.resolved(folder);
        if !self.folders.contains(&true_folder) {
            return Err(ErrorKind::NotFound.into());
        }
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        let below = |path: &Path| path.parent() == Some(&true_folder);
        let named = |path: &PathBuf| folder.join(path.file_name().unwrap_or_default());
        let range = true_folder.clone()..;
        for (path, (_, is_link)) in self.files.range(range.clone()) {
            if !path.starts_with(&true_folder) {
                break;
            }
            if below(path) {
                let is_folder = *is_link && self.folders.contains(&self.resolved(path));
                if is_folder { &mut folders } else { &mut files }.push(named(path));
            }
        }
        for path in self.folders.range(range) {
            if !path.starts_with(&true_folder) {
                break;
            }
            if below(path) {
                folders.push(named(path));
            }
        }
        Ok((files, folders))
    }

    fn is_file(&self, path: &Path) -> bool {
        if !self.is_inside(path) {
            return FileSystem.is_file(path);
        }
        self.files.contains_key(&self.resolved(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        if !self.is_inside(path) {
            return FileSystem.is_folder(path);
        }
        self.folders.contains(&self.resolved(path))
    }

    fn is_link(&self, path: &Path) -> bool {
        match self.files.get(path) {
            Some((_, is_link)) => *is_link,
            None => !self.is_inside(path) && FileSystem.is_link(path),
        }
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        if self.is_inside(path) {
            self.resolved(path)
        } else {
            FileSystem.canonical(path)
        }
    }
}
