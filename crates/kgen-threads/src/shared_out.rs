//! Work on lists, shared out to all threads where that is quicker.

use rayon::prelude::*;

/// From how many items on threads are worth their start. An operator has a few kinds, and one thread is done with them
/// before another one runs: a thread needs memory of its own, and the system clears that first.
const MANY: usize = 8;

/// What `work` makes of each item, in the order of the items.
pub fn map_all<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    if items.len() < MANY {
        items.iter().map(work).collect()
    } else {
        items.par_iter().map(work).collect()
    }
}

/// Frees what is no longer needed. If `count` says that there is much of it, another thread does that: nobody has to wait until
/// millions of parts are gone, least of all a program that ends.
pub fn drop_aside<T: Send + 'static>(value: T, count: usize) {
    if count < MANY {
        drop(value);
    } else {
        rayon::spawn(move || drop(value));
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
            // It answers, with an error, once the other end is gone.
            assert!(receiver.recv().is_err());
        }
    }

    #[test]
    fn few_items_stay_on_this_thread() {
        let here = std::thread::current().id();
        assert_eq!(map_all(&[(), ()], |()| std::thread::current().id()), [here, here]);
    }
}
