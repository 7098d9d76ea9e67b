//! Limits the work of one evaluation, so that it always ends.

use kgen_diagnostics::Span;

use super::Unknown;

/// How many expressions one evaluation may look at. Copies and text that is parsed count by their size.
const STEPS: usize = 20_000;

/// How many expressions and functions may be inside each other.
const DEPTH: usize = 600;

/// How much of the depth fits on a usual stack, also in a build without optimization.
const SHALLOW: usize = 100;

/// The work that may still be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    steps: usize,
    depth: usize,
    is_on_large_stack: bool,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self {
            steps: STEPS,
            depth: 0,
            is_on_large_stack: false,
        }
    }

    /// Pays for an amount of work.
    pub(super) fn spend(&mut self, amount: usize, span: Span) -> Result<(), Unknown> {
        match self.steps.checked_sub(amount) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => {
                self.steps = 0;
                Err(Unknown::new(span, "this takes too many steps to evaluate"))
            }
        }
    }

    /// Goes one level deeper.
    pub(super) fn descend(&mut self, span: Span) -> Result<(), Unknown> {
        self.spend(1, span)?;
        if self.depth >= DEPTH {
            return Err(Unknown::new(span, "code is nested too deeply here"));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Returns whether the text that is evaluated next needs a large stack. Says so once.
    pub(super) fn needs_large_stack(&mut self, text: &str) -> bool {
        let needs = !self.is_on_large_stack && self.depth + nesting(text) > SHALLOW;
        self.is_on_large_stack |= needs;
        needs
    }

    /// Leaves the large stack, after a function that needed it.
    pub(super) fn leave_large_stack(&mut self) {
        self.is_on_large_stack = false;
    }
}

/// Returns a number of levels that the expressions of a text cannot exceed.
fn nesting(text: &str) -> usize {
    text.bytes()
        .filter(|byte| b"([{.+-*/%!&|^<>=?;".contains(byte))
        .count()
}
