//! A scripted reconciler that reports its calls.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use kgen_runtime::manager::{Next, ObjectKey, Reconciler};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The results of the calls, the last one repeatedly.
#[derive(Clone, Copy)]
pub enum Step {
    Fine,
    Again(Duration),
    Fail,
    Panic,
}

/// Reports its argument, and returns the scripted result.
pub struct Told {
    calls: mpsc::UnboundedSender<(String, Instant)>,
    steps: Mutex<BTreeMap<String, Vec<Step>>>,
}

impl Told {
    pub fn new(steps: &[(&str, &[Step])]) -> (Self, mpsc::UnboundedReceiver<(String, Instant)>) {
        let (calls, received) = mpsc::unbounded_channel();
        let steps = steps
            .iter()
            .map(|(name, steps)| ((*name).to_owned(), steps.iter().rev().copied().collect()));
        let told = Self {
            calls,
            steps: Mutex::new(steps.collect()),
        };
        (told, received)
    }
}

impl Reconciler for Told {
    type Error = Failed;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        let step = self
            .steps
            .lock()
            .unwrap()
            .get_mut(&key.name)
            .and_then(Vec::pop)
            .unwrap_or(Step::Fine);
        self.calls.send((key.to_string(), Instant::now())).unwrap();
        match step {
            Step::Fine => Ok(Next::AwaitChange),
            Step::Again(delay) => Ok(Next::After(delay)),
            Step::Fail => Err(cannot_apply()),
            Step::Panic => panic!("a mistake"),
        }
    }
}

/// An error with sources, of which one is repeated by the error above it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failed(&'static str, #[source] Option<Box<Failed>>);

fn cannot_apply() -> Failed {
    let refused = Failed("no role allows it", None);
    let refused = Failed("the server refused: no role allows it", Some(Box::new(refused)));
    Failed("cannot apply", Some(Box::new(refused)))
}
