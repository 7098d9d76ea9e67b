//! What is wrong with an expression that can be parsed: a name that nobody declares, or types that do not fit.

/// What sort of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A variable, field, function or type that does not exist.
    Name,
    /// Types that do not fit.
    Type,
}

/// A mistake at a place in the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) sort: Sort,
    /// The byte in the expression; nothing if the expression as a whole is meant.
    pub(super) offset: Option<usize>,
    /// One line, without a full stop.
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// The mistake that comes first in the text.
#[derive(Debug, Default)]
pub(super) struct Mistakes(Option<Mistake>);

impl Mistakes {
    pub(super) fn add(&mut self, sort: Sort, offset: usize, message: String, help: Option<String>) {
        let is_earlier = |first: &Mistake| first.offset.is_none_or(|first| offset < first);
        if self.0.as_ref().is_none_or(is_earlier) {
            self.0 = Some(Mistake {
                sort,
                offset: Some(offset),
                message,
                help,
            });
        }
    }

    pub(super) fn first(self) -> Option<Mistake> {
        self.0
    }
}
