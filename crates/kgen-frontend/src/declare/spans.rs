//! When the parser may forget the text of what it has read.
//!
//! It keeps every text of a thread, so that a place in a syntax tree can be told. After a file is lowered nobody asks, but
//! reading code leads to further files while the tree of that code is still in use.

use std::cell::Cell;
use std::marker::PhantomData;

thread_local! {
    static TREES: Cell<usize> = const { Cell::new(0) };
}

/// Keeps the places in the syntax trees of this thread, as long as it lives.
pub(crate) struct KeepPlaces {
    /// It counts for its own thread alone, and must not leave it.
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

/// Lets the parser forget what it has read on this thread, unless a tree is still in use.
pub(super) fn forget() {
    if TREES.get() == 0 {
        proc_macro2::extra::invalidate_current_thread_spans();
    }
}
