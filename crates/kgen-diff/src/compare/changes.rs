//! A change before its claim is proved.

use kgen_diagnostics::{Code, Span};
use kgen_sample::Step;
use kgen_schema::Problem;

use crate::finding::Level;

/// The property of an object that proves a change.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// Nothing: the change is not about values.
    None,
    /// Leave the field out, which the new state refuses.
    Absent,
    /// Set the field, which the new state drops.
    Present,
    /// Have a field that neither state declares, which only the old one keeps.
    Unknown,
    /// Have a value that the new state refuses for one of these reasons.
    Refused(fn(&Problem) -> bool),
    /// Have a value that the new state refuses or drops a part of.
    RefusedOrPruned,
    /// Be `null`.
    Null,
    /// Have an item twice.
    Duplicates,
    /// Break one of these rules.
    Rules(Vec<kgen_model::Rule>),
    /// Leave the field out, which both states accept and complete differently.
    Default,
    /// Leave the field out, which the new state may refuse. Then the change is breaking; otherwise it keeps its level.
    AbsentRefused,
    /// Be `null`, which the new state drops and may then refuse. Then the change is breaking; otherwise it keeps its level.
    NullRefused,
}

/// The places of a change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) old: Option<Span>,
    pub(crate) new: Option<Span>,
    /// Other places whose markers may allow the change.
    pub(crate) around: Vec<Span>,
}

/// A change in the schemas of one version.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) code: Code,
    /// The level if the goal is reached, or if there is none.
    pub(crate) level: Level,
    pub(crate) path: Vec<Step>,
    pub(crate) goal: Goal,
    pub(crate) message: String,
    pub(crate) label: String,
    pub(crate) places: Places,
    /// Whether the thing is gone, so that it has a place only in the old state.
    pub(crate) is_removed: bool,
    pub(crate) help: Vec<String>,
}

impl Change {
    pub(crate) fn new(
        code: Code,
        level: Level,
        path: &[Step],
        message: impl Into<String>,
        places: &Places,
    ) -> Self {
        Self {
            code,
            level,
            path: path.to_vec(),
            goal: Goal::None,
            message: message.into(),
            label: String::new(),
            places: places.clone(),
            is_removed: false,
            help: Vec::new(),
        }
    }

    pub(crate) fn goal(mut self, goal: Goal) -> Self {
        self.goal = goal;
        self
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    pub(crate) fn removed(mut self) -> Self {
        self.is_removed = true;
        self
    }
}
