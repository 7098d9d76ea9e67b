//! Distributes work on lists to all threads if that is faster.

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, available_parallelism, scope};

use crate::large_stacks::Stacks;

/// The number of items from which threads are worth their start. An operator has a few kinds, which one thread finishes
/// before another one runs: the system has to allocate and clear memory for a thread first.
const MANY: usize = 8;

/// The variable that limits the number of threads.
const VARIABLE: &str = "KGEN_THREADS";

/// Returns the number of threads: the number of processors, or the value of `KGEN_THREADS`.
pub fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let stated = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok());
        let stated = stated.filter(|count| (1..=1024).contains(count));
        stated.unwrap_or_else(|| available_parallelism().map_or(1, Into::into))
    })
}

/// Maps `work` over the items and keeps their order.
pub fn map_all<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    let threads = count().min(items.len());
    if items.len() < MANY || threads < 2 {
        return items.iter().map(work).collect();
    }
    // A thread that is done takes the next item, because some items take longer than others.
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done = Vec::with_capacity(items.len() / threads);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut found: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut place = |done: Vec<(usize, R)>| {
        for (index, result) in done {
            if let Some(slot) = found.get_mut(index) {
                *slot = Some(result);
            }
        }
    };
    let stacks = Stacks::of_this_thread();
    scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map_while(|_| {
                let start = || {
                    stacks.inherit();
                    share()
                };
                stacks.builder().spawn_scoped(scope, start).ok()
            })
            .collect();
        place(share());
        for other in others {
            place(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
    });
    found.into_iter().flatten().collect()
}

/// Frees a value that is no longer needed. If it has many `parts`, another thread does that, so that nobody waits for it, least
/// of all a program that is about to end.
pub fn drop_aside<T: Send + 'static>(value: T, parts: usize) {
    if parts < MANY || count() < 2 {
        drop(value);
    } else {
        // If a thread cannot be started, the value is dropped here.
        let _ = Builder::new().spawn(move || drop(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_items_keep_their_order() {
        for count in [0, 1, MANY - 1, MANY, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
            assert_eq!(map_all(&items, |item| item * 2), doubled);
        }
    }

    #[test]
    fn everything_is_dropped() {
        for count in [0, MANY] {
            let (sender, receiver) = std::sync::mpsc::channel::<()>();
            drop_aside(sender, count);
            // The channel returns an error once the other end is gone.
            assert!(receiver.recv().is_err());
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let items: Vec<usize> = (0..100).collect();
        let result = std::panic::catch_unwind(|| map_all(&items, |item| assert_ne!(*item, 77)));
        assert!(result.is_err());
    }

    #[test]
    fn few_items_stay_on_this_thread() {
        let here = std::thread::current().id();
        assert_eq!(map_all(&[(), ()], |()| std::thread::current().id()), [here, here]);
    }
}
