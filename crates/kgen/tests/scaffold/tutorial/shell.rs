//! One shell for the whole page, as for a reader: its current folder and its background processes are kept between
//! blocks.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

/// The timeout of a block: a whole operator is built on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// A shell, and the processes that it leaves running.
pub struct Shell {
    process: Child,
    input: ChildStdin,
    folder: PathBuf,
    blocks: usize,
}

impl Shell {
    /// Starts `command`, a shell; its blocks and their output are stored in `folder`.
    pub fn start(mut command: Command, folder: &Path) -> Outcome<Self> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let mut input = process.stdin.take().ok_or("the shell has no input")?;
        // A command that fails ends the shell.
        writeln!(input, "set -e")?;
        Ok(Self {
            process,
            input,
            folder: folder.to_owned(),
            blocks: 0,
        })
    }

    /// Runs a block and returns its output. All of its commands must succeed, or, if it `fails`, the last must not.
    pub fn run(&mut self, commands: &str, fails: bool) -> Outcome<String> {
        self.blocks += 1;
        let file = |extension: &str| self.folder.join(format!("block-{}.{extension}", self.blocks));
        let (block, output, done) = (file("sh"), file("log"), file("done"));
        fs::write(&block, commands)?;
        let run = format!(
            ". '{}' > '{}' 2>&1 < /dev/null",
            block.display(),
            output.display()
        );
        let done_text = done.display();
        match fails {
            false => writeln!(self.input, "{run}\n: > '{done_text}'")?,
            true => writeln!(
                self.input,
                "set +e\n{run}\n[ $? -ne 0 ] || exit 1\nset -e\n: > '{done_text}'"
            )?,
        }
        let deadline = Instant::now() + PATIENCE;
        let printed = || fs::read_to_string(&output).unwrap_or_default();
        while !done.exists() {
            if let Some(status) = self.process.try_wait()? {
                let expected = if fails { "failure" } else { "success" };
                return Err(
                    format!("{commands}did not end with {expected} ({status}):\n{}", printed()).into(),
                );
            }
            if Instant::now() > deadline {
                return Err(format!("{commands}did not end within {PATIENCE:?}:\n{}", printed()).into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(printed())
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status();
        let _ = self.process.wait();
    }
}

/// Writes a shell script that can be called by its name.
pub fn write_program(path: &Path, text: &str) -> Outcome {
    fs::write(path, format!("#!/bin/sh\nset -e\n{text}"))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    Ok(())
}
