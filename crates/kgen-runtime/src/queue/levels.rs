//! The ready keys by level and, within a level, in order.

use std::collections::BTreeMap;

use super::Priority;

/// Each time after this many keys, the next key is the oldest one, whatever its level. So no level waits forever.
const TURN_OF_THE_OLDEST: u32 = 20;

/// Keys by level. Every key has a place, which grows with each key.
#[derive(Debug)]
pub(super) struct Levels<K> {
    /// The levels that have keys.
    levels: BTreeMap<Priority, BTreeMap<u64, K>>,
    len: usize,
    next_place: u64,
    /// The number of keys taken since the last turn of the oldest key.
    taken: u32,
}

impl<K> Levels<K> {
    pub(super) fn new() -> Self {
        Self {
            levels: BTreeMap::new(),
            len: 0,
            next_place: 0,
            taken: 0,
        }
    }

    /// Adds a key at the end of its level, and returns its place.
    pub(super) fn push(&mut self, priority: Priority, key: K) -> u64 {
        let place = self.next_place;
        self.next_place += 1;
        self.levels.entry(priority).or_default().insert(place, key);
        self.len += 1;
        place
    }

    /// Moves the key of `place` to another level. It keeps its place, so it goes before keys that were added later.
    pub(super) fn raise(&mut self, place: u64, from: Priority, to: Priority) {
        if let Some(key) = self.remove(from, Some(place)) {
            self.levels.entry(to).or_default().insert(place, key);
            self.len += 1;
        }
    }

    /// Removes the first key of the highest level, or the oldest key if it is its turn.
    pub(super) fn take(&mut self) -> Option<(K, Priority)> {
        let is_turn_of_the_oldest = self.taken + 1 >= TURN_OF_THE_OLDEST;
        let priority = if is_turn_of_the_oldest {
            let firsts = self.levels.iter().filter_map(|(priority, keys)| {
                let (place, _) = keys.first_key_value()?;
                Some((*place, *priority))
            });
            firsts.min()?.1
        } else {
            *self.levels.last_key_value()?.0
        };
        let key = self.remove(priority, None)?;
        self.taken = if is_turn_of_the_oldest { 0 } else { self.taken + 1 };
        Some((key, priority))
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Removes the key of that place, or the first key of the level.
    fn remove(&mut self, priority: Priority, place: Option<u64>) -> Option<K> {
        let keys = self.levels.get_mut(&priority)?;
        let key = match place {
            Some(place) => keys.remove(&place),
            None => keys.pop_first().map(|(_, key)| key),
        }?;
        if keys.is_empty() {
            self.levels.remove(&priority);
        }
        self.len -= 1;
        Some(key)
    }
}
