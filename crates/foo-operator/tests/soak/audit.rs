//! The audit log of the API server: which replica held the lease when, and which wrote without it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use k8s_openapi::jiff::Timestamp;
use serde_json::Value;

use crate::cluster::Result;

/// Leases with their content, and other writes of the operator without.
const POLICY: &str = r#"{
  "apiVersion": "audit.k8s.io/v1",
  "kind": "Policy",
  "omitStages": ["RequestReceived", "ResponseStarted"],
  "rules": [
    {
      "level": "RequestResponse",
      "users": ["system:serviceaccount:foo-system:foo-operator"],
      "verbs": ["create", "update", "patch"],
      "resources": [{ "group": "coordination.k8s.io", "resources": ["leases"] }]
    },
    {
      "level": "Metadata",
      "users": ["system:serviceaccount:foo-system:foo-operator"],
      "verbs": ["create", "update", "patch", "delete"],
      "resources": [
        { "group": "apps", "resources": ["deployments"] },
        { "group": "example.com", "resources": ["foos", "foos/status"] }
      ]
    },
    { "level": "None" }
  ]
}"#;

/// How long after a leader was woken requests may arrive that were on their way when it was stopped.
const ON_THEIR_WAY: Duration = Duration::from_secs(1);

/// How many requests a replica has on their way at most: one for each worker.
const WORKERS: usize = 2;

pub struct Audit {
    policy: PathBuf,
    log: PathBuf,
}

/// A time from which on a replica, or none, held the lease.
#[derive(Debug)]
struct Term {
    /// The version of the lease, to order terms.
    version: u64,
    since: SystemTime,
    holder: Option<String>,
}

/// A write of an operator that succeeded.
#[derive(Debug)]
struct Write {
    replica: String,
    at: SystemTime,
    what: String,
}

/// The result of the analysis.
#[derive(Debug, Default)]
pub struct Verdict {
    writes: usize,
    leaders: usize,
    /// Writes of a leader that was stopped, sent when it was woken.
    on_their_way: usize,
    without_lease: Vec<String>,
}

impl Audit {
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let audit = Self {
            policy: folder.join("audit-policy.json"),
            log: folder.join("audit.log"),
        };
        std::fs::write(&audit.policy, POLICY)?;
        Ok(audit)
    }

    /// Returns the flags of the API server.
    pub fn flags(&self) -> [String; 3] {
        [
            format!("--audit-policy-file={}", self.policy.display()),
            format!("--audit-log-path={}", self.log.display()),
            // In megabytes. The log must not be rotated: the verdict reads one file.
            "--audit-log-maxsize=10000".to_owned(),
        ]
    }

    /// Finds writes by replicas that did not hold the lease. `awakenings` says when stopped leaders went on.
    pub fn verdict(&self, awakenings: &[(String, SystemTime)]) -> Result<Verdict> {
        let mut terms = Vec::new();
        let mut writes = Vec::new();
        for line in std::fs::read_to_string(&self.log)?.lines() {
            // A line may be cut off where the API server was killed.
            let Ok(event) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if !event["responseStatus"]["code"]
                .as_u64()
                .is_some_and(|code| code < 300)
            {
                continue;
            }
            match event["objectRef"]["resource"].as_str() {
                Some("leases") => terms.extend(term(&event)),
                _ => writes.extend(write(&event)),
            }
        }
        terms.sort_by_key(|term| term.version);
        Ok(judge(&terms, &writes, awakenings))
    }
}

fn judge(terms: &[Term], writes: &[Write], awakenings: &[(String, SystemTime)]) -> Verdict {
    let mut verdict = Verdict {
        writes: writes.len(),
        ..Verdict::default()
    };
    let mut last = None;
    for term in terms {
        if term.holder.is_some() && term.holder != last {
            verdict.leaders += 1;
        }
        last.clone_from(&term.holder);
    }
    let mut late = vec![0; awakenings.len()];
    for write in writes {
        let term = terms.iter().rev().find(|term| term.since <= write.at);
        let holder = term.and_then(|term| term.holder.as_deref());
        if holder.is_some_and(|holder| holder.starts_with(&write.replica)) {
            continue;
        }
        let awakening = awakenings.iter().position(|(replica, woken)| {
            *replica == write.replica
                && write
                    .at
                    .duration_since(*woken)
                    .is_ok_and(|since| since <= ON_THEIR_WAY)
        });
        if let Some(awakening) = awakening
            && late[awakening] < WORKERS
        {
            late[awakening] += 1;
            verdict.on_their_way += 1;
            continue;
        }
        verdict.without_lease.push(format!(
            "{} wrote {} while {} led",
            write.replica,
            write.what,
            holder.unwrap_or("nobody")
        ));
    }
    verdict
}

impl Verdict {
    pub fn check(&self) -> Result {
        match self.without_lease.len() {
            0 if self.leaders > 0 => Ok(()),
            0 => Err("the audit log shows no leader".into()),
            count => {
                let first: Vec<&str> = self.without_lease.iter().take(10).map(String::as_str).collect();
                Err(format!("{count} writes without the lease: {}", first.join("; ")).into())
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} writes under {} leaders, {} without the lease, {} were on their way when their leader was stopped",
            self.writes,
            self.leaders,
            self.without_lease.len(),
            self.on_their_way
        )
    }
}

fn term(event: &Value) -> Option<Term> {
    let lease = &event["responseObject"];
    Some(Term {
        version: lease["metadata"]["resourceVersion"].as_str()?.parse().ok()?,
        // When it was stored is not in the log. It was asked for before, so a write that follows is not taken for a stray.
        since: time(&event["requestReceivedTimestamp"])?,
        holder: lease["spec"]["holderIdentity"].as_str().map(str::to_owned),
    })
}

fn write(event: &Value) -> Option<Write> {
    let object = &event["objectRef"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(Write {
        replica: text(&event["userAgent"]),
        at: time(&event["requestReceivedTimestamp"])?,
        what: format!(
            "{} {} {}",
            text(&event["verb"]),
            text(&object["resource"]),
            text(&object["name"])
        ),
    })
}

fn time(value: &Value) -> Option<SystemTime> {
    let time: Timestamp = value.as_str()?.parse().ok()?;
    Some(time.into())
}
