//! The audit log of the API server: every request of the operator, as the server saw it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::Value;

/// Only the requests of the operator's service account, when they are answered.
const POLICY: &str = r#"{
  "apiVersion": "audit.k8s.io/v1",
  "kind": "Policy",
  "omitStages": ["RequestReceived", "ResponseStarted"],
  "rules": [
    { "level": "Metadata", "users": ["system:serviceaccount:foo-system:foo-operator"] },
    { "level": "None" }
  ]
}"#;

pub struct Audit {
    policy: PathBuf,
    log: PathBuf,
}

/// How many requests there were of each sort, such as `patch foos/status`.
pub struct Requests(BTreeMap<String, u64>);

impl Audit {
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let audit = Self {
            policy: folder.join("audit-policy.json"),
            log: folder.join("audit.log"),
        };
        fs::write(&audit.policy, POLICY)?;
        Ok(audit)
    }

    /// Returns the flags of the API server.
    pub fn flags(&self) -> [String; 2] {
        [
            format!("--audit-policy-file={}", self.policy.display()),
            format!("--audit-log-path={}", self.log.display()),
        ]
    }

    /// Returns the requests so far.
    pub fn count(&self) -> Result<Requests> {
        let mut counts = BTreeMap::new();
        for line in fs::read_to_string(&self.log)?.lines() {
            // The last line may not be complete.
            let Ok(event) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            let object = &event["objectRef"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let mut sort = format!("{} {}", text(&event["verb"]), text(&object["resource"]));
            if let Some(subresource) = object["subresource"].as_str() {
                sort = format!("{sort}/{subresource}");
            }
            *counts.entry(sort).or_default() += 1;
        }
        Ok(Requests(counts))
    }

    /// Waits until nothing was written for a while.
    pub async fn until_quiet(&self, quiet: Duration) -> Result<()> {
        let start = Instant::now();
        let mut last = (self.count()?.writes(), start);
        while last.1.elapsed() < quiet {
            if start.elapsed() > Duration::from_secs(120) {
                bail!("the operator does not stop writing");
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
            let writes = self.count()?.writes();
            if writes != last.0 {
                last = (writes, Instant::now());
            }
        }
        Ok(())
    }
}

impl Requests {
    pub fn writes(&self) -> u64 {
        self.sum(|verb| !is_read(verb))
    }

    pub fn reads(&self) -> u64 {
        self.sum(is_read)
    }

    pub fn by_sort(&self) -> &BTreeMap<String, u64> {
        &self.0
    }

    /// Returns the requests after `earlier`.
    pub fn since(&self, earlier: &Self) -> Self {
        let new = self.0.iter().map(|(sort, count)| {
            let before = earlier.0.get(sort).copied().unwrap_or_default();
            (sort.clone(), count - before)
        });
        Self(new.collect())
    }

    fn sum(&self, wanted: impl Fn(&str) -> bool) -> u64 {
        let verb = |sort: &str| sort.split(' ').next().unwrap_or_default().to_owned();
        let counts = self.0.iter().filter(|(sort, _)| wanted(&verb(sort)));
        counts.map(|(_, count)| count).sum()
    }
}

fn is_read(verb: &str) -> bool {
    matches!(verb, "get" | "list" | "watch")
}
