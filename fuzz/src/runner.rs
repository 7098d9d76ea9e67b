//! The parent process: it starts workers, watches their time and memory, and saves the inputs that fail.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::mutate::Mutator;
use crate::targets::Target;
use crate::{seeds, worker};

/// The memory that a worker may use.
const MOST_MEMORY: u64 = 1024 * 1024 * 1024;

/// How often a worker is looked at.
const PAUSE: Duration = Duration::from_millis(20);

/// The most failures of a target; one is usually the cause of many.
const MOST_FAILURES: usize = 10;

/// No input has started yet.
const NONE: u64 = u64::MAX;

/// A run of one target.
pub(crate) struct Job<'a> {
    pub(crate) target: &'static Target,
    pub(crate) seed: u64,
    pub(crate) first: u64,
    pub(crate) runs: u64,
    pub(crate) end: Option<Duration>,
    pub(crate) hang: Duration,
    pub(crate) failures: &'a Path,
    pub(crate) input: Option<&'a Path>,
}

/// The result of a job.
pub(crate) struct Outcome {
    pub(crate) inputs: u64,
    pub(crate) elapsed: Duration,
    pub(crate) failures: Vec<String>,
}

/// How a worker ended.
enum End {
    Done,
    TimeIsUp,
    Failed(&'static str, String),
}

impl Job<'_> {
    /// Runs all inputs. After one that fails, a new worker goes on behind it.
    pub(crate) fn run(&self) -> io::Result<Outcome> {
        let begin = Instant::now();
        let last = self
            .first
            .saturating_add(if self.input.is_some() { 1 } else { self.runs });
        let mut next = self.first;
        let mut failures = Vec::new();
        while next < last && failures.len() < MOST_FAILURES {
            let (reached, end) = self.worker(next, last - next, begin)?;
            match end {
                End::Done => next = last,
                End::TimeIsUp => {
                    next = if reached == NONE { next } else { reached };
                    break;
                }
                End::Failed(reason, details) if reached == NONE => {
                    return Err(io::Error::other(format!(
                        "the worker {reason} before its first input\n{details}"
                    )));
                }
                End::Failed(reason, details) => {
                    failures.push(self.save(reached, reason, &details)?);
                    next = reached + 1;
                }
            }
        }
        Ok(Outcome {
            inputs: next.min(last) - self.first,
            elapsed: begin.elapsed(),
            failures,
        })
    }

    /// Runs one worker until it ends. Returns the number of its last input.
    fn worker(&self, first: u64, runs: u64, begin: Instant) -> io::Result<(u64, End)> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args([self.target.name, "--worker"])
            .args(["--seed", &self.seed.to_string()])
            .args(["--first", &first.to_string()])
            .args(["--runs", &runs.to_string()]);
        if let Some(input) = self.input {
            command.arg("--input").arg(input);
        }
        let errors = tempfile::NamedTempFile::new()?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors.reopen()?)
            .spawn()?;
        let reached = Arc::new(AtomicU64::new(NONE));
        let reader = child.stdout.take().map(|mut out| {
            let reached = Arc::clone(&reached);
            std::thread::spawn(move || {
                let mut number = [0; 8];
                while out.read_exact(&mut number).is_ok() {
                    reached.store(u64::from_le_bytes(number), Ordering::Relaxed);
                }
            })
        });
        let end = self.watch(&mut child, &reached, begin)?;
        if let Some(reader) = reader {
            let _ = reader.join();
        }
        let reached = reached.load(Ordering::Relaxed);
        let end = match end {
            End::Failed(reason, _) => {
                let details = fs::read(errors.path()).unwrap_or_default();
                let details = String::from_utf8_lossy(&details);
                End::Failed(reason, details.lines().take(4).collect::<Vec<_>>().join("\n"))
            }
            end => end,
        };
        Ok((reached, end))
    }

    fn watch(&self, child: &mut Child, reached: &AtomicU64, begin: Instant) -> io::Result<End> {
        let mut present = NONE;
        let mut start = Clock::of(child);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(if status.success() {
                    End::Done
                } else {
                    End::Failed("panicked or overflowed its stack", String::new())
                });
            }
            let now = reached.load(Ordering::Relaxed);
            if now != present {
                present = now;
                start = Clock::of(child);
            }
            let failure = if start.spent(child) > self.hang {
                Some("hung")
            } else if memory_of(child) > MOST_MEMORY {
                Some("used more than 1 GB of memory")
            } else {
                None
            };
            let is_over = self.end.is_some_and(|end| begin.elapsed() > end);
            if failure.is_some() || is_over {
                child.kill()?;
                child.wait()?;
                return Ok(failure.map_or(End::TimeIsUp, |reason| End::Failed(reason, String::new())));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Saves an input that failed, and says how to run it again.
    fn save(&self, number: u64, reason: &str, details: &str) -> io::Result<String> {
        let path = match self.input {
            Some(path) => path.to_owned(),
            None => {
                let mutator = Mutator::new(seeds::of(self.target), self.target.words);
                let text = worker::input(self.target, &mutator, self.seed, number);
                fs::create_dir_all(self.failures)?;
                let path = self
                    .failures
                    .join(format!("{}-{}-{number}", self.target.name, self.seed));
                fs::write(&path, text)?;
                path
            }
        };
        let name = self.target.name;
        Ok(format!(
            "input {number} {reason}: cargo run -p kgen-fuzz -- {name} --input {}\n{details}",
            path.display()
        ))
    }
}

/// The time that an input takes: that of the processor where it is known, so that a busy machine fails nothing.
struct Clock {
    processor: Option<Duration>,
    wall: Instant,
}

impl Clock {
    fn of(child: &Child) -> Self {
        Self {
            processor: processor_time(child),
            wall: Instant::now(),
        }
    }

    fn spent(&self, child: &Child) -> Duration {
        match (self.processor, processor_time(child)) {
            // A process that waits forever uses no processor time.
            (Some(before), Some(now)) => now.saturating_sub(before).max(self.wall.elapsed() / 60),
            _ => self.wall.elapsed(),
        }
    }
}

/// Reads the processor time of a process, in ticks of a hundredth of a second. Returns `None` on other systems than Linux.
fn processor_time(child: &Child) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name in parentheses may have spaces.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_millis(10 * (user + system)))
}

/// Reads the memory of a process. Returns zero on other systems than Linux.
fn memory_of(child: &Child) -> u64 {
    let kilobytes = || {
        let text = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
    };
    kilobytes().unwrap_or_default().saturating_mul(1024)
}
