//! Decides when the parser may free the text that it has parsed.
//!
//! The parser keeps every text of a thread, so that places in a syntax tree can be resolved. They are not needed after
//! a file is lowered, but evaluating code reads further files while the tree of that code is still in use.

use std::cell::Cell;
use std::marker::PhantomData;

thread_local! {
    static TREES: Cell<usize> = const { Cell::new(0) };
}

/// Keeps the places in the syntax trees of this thread until it is dropped.
pub(crate) struct KeepPlaces {
    /// It counts only for its own thread, and must not leave it.
    on_this_thread: PhantomData<*const ()>,
}

impl KeepPlaces {
    pub(crate) fn new() -> Self {
        TREES.set(TREES.get() + 1);
        Self {
            on_this_thread: PhantomData,
        }
    }
}

impl Drop for KeepPlaces {
    fn drop(&mut self) {
        TREES.set(TREES.get().saturating_sub(1));
    }
}

/// Lets the parser free its text on this thread, unless a tree is still in use.
pub(super) fn forget() {
    if TREES.get() == 0 {
        proc_macro2::extra::invalidate_current_thread_spans();
    }
}
