//! A value that is usually empty, in the space of one pointer.
//!
//! An API has a schema for every field, and most parts of a schema are empty. Stored inline, they were two thirds of
//! its memory. A [`Sparse`] part is read and written like the value itself, and takes space only once it is written.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A type whose empty value does not need memory.
pub trait Empty: Default + 'static {
    /// Returns the empty value.
    fn empty() -> &'static Self;
}

impl<T: 'static> Empty for Vec<T> {
    fn empty() -> &'static Self {
        const { &Self::new() }
    }
}

/// A value that is usually empty.
#[derive(Clone)]
pub struct Sparse<T>(Option<Box<T>>);

impl<T> Sparse<T> {
    /// Returns whether it was never written.
    #[must_use]
    pub fn is_unset(&self) -> bool {
        self.0.is_none()
    }
}

impl<T: Empty> Sparse<T> {
    /// Returns the value itself.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0.map(|value| *value).unwrap_or_default()
    }
}

impl<T> Default for Sparse<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Empty + PartialEq> From<T> for Sparse<T> {
    fn from(value: T) -> Self {
        Self((value != *T::empty()).then(|| Box::new(value)))
    }
}

impl<T: Empty> Deref for Sparse<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or_else(|| T::empty())
    }
}

impl<T: Empty> DerefMut for Sparse<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T> FromIterator<T> for Sparse<Vec<T>> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        Self((!items.is_empty()).then(|| Box::new(items)))
    }
}

impl<'a, T: 'static> IntoIterator for &'a Sparse<Vec<T>> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One that was written and is empty again equals one that was never written.
impl<T: Empty + PartialEq> PartialEq for Sparse<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Empty + Eq> Eq for Sparse<T> {}

impl<T: Empty + fmt::Debug> fmt::Debug for Sparse<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_space_only_once_it_is_written() {
        let mut names = Sparse::<Vec<String>>::default();
        assert_eq!(size_of_val(&names), size_of::<usize>());
        assert!(names.is_empty() && names.is_unset());
        names.push("a".to_owned());
        assert_eq!(names.iter().collect::<Vec<_>>(), ["a"]);
        names.clear();
        assert!(!names.is_unset());
        assert_eq!(names, Sparse::from(Vec::new()));
        assert!(Sparse::from(Vec::<String>::new()).is_unset());
    }
}
