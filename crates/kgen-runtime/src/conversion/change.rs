//! The vocabulary of a step: a table of the differences between two neighboring versions, as [the module](super) explains it.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::values::{Fill, Method, Sources, Targets};
use super::variants::Variants;

/// The differences between two structs: the older one and the newer one.
///
/// Every line names fields of the older struct, then fields of the newer struct, by their JSON names. Lines never see the
/// result of another line, so fields can exchange their names. Fields without a line are copied.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Change {
    pub(super) lines: Vec<Line>,
    pub(super) older: Side,
    pub(super) newer: Side,
}

/// The names on one side of a table. Both lists are sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    /// The fields that lines read.
    pub(super) read: Vec<String>,
    /// The fields that only lines write.
    pub(super) written: Vec<String>,
    /// Whether a line reads a field of a nested struct.
    pub(super) is_deep: bool,
}

impl Side {
    pub(super) fn reads(&self, name: &str) -> bool {
        self.read
            .binary_search_by(|known| known.as_str().cmp(name))
            .is_ok()
    }

    pub(super) fn writes(&self, name: &str) -> bool {
        self.written
            .binary_search_by(|known| known.as_str().cmp(name))
            .is_ok()
    }

    /// Notes a path that a line reads when it converts from this side, and writes when it converts to it.
    fn note(&mut self, path: &[String]) {
        match path {
            [name] => {
                insert(&mut self.read, name);
                insert(&mut self.written, name);
            }
            _ => self.is_deep = true,
        }
    }
}

fn insert(names: &mut Vec<String>, name: &str) {
    if let Err(place) = names.binary_search_by(|known| known.as_str().cmp(name)) {
        names.insert(place, name.to_owned());
    }
}

/// One line of the table.
#[derive(Clone, Debug)]
pub(super) enum Line {
    /// A value that exists on both sides.
    Pair {
        older: Vec<String>,
        newer: Vec<String>,
        contents: Option<Contents>,
    },
    /// Values that functions translate.
    Translated {
        older: Vec<Vec<String>>,
        newer: Vec<Vec<String>>,
        forward: Method,
        backward: Method,
    },
    /// A field that only newer has.
    Added(String),
    /// A field that only older has.
    Dropped(String),
    /// A field that newer (or older) requires.
    Filled {
        is_newer: bool,
        name: String,
        fill: Fill,
    },
}

impl fmt::Debug for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Copy => "Copy",
            Self::Call { .. } => "Call",
        })
    }
}

impl fmt::Debug for Fill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Fill")
    }
}

/// The inside of a value that differs between two versions.
///
/// A [`Change`] or [`Variants`] becomes one with `into()`, so most tables never name this type.
#[derive(Clone, Debug)]
#[must_use]
pub struct Contents(pub(super) Inside);

#[derive(Clone, Debug)]
pub(super) enum Inside {
    Fields(Change),
    Items(Box<Contents>),
    Variants(Variants),
    Value { forward: Method, backward: Method },
}

impl Contents {
    /// Describes a list or a map whose items differ. Lists of lists and maps of lists are written with this function.
    ///
    /// ```
    /// use kgen_runtime::conversion::{Change, Contents};
    ///
    /// // `routes: HashMap<String, Vec<Route>>`
    /// let route = Change::new().renamed("host", "hostname");
    /// let spec = Change::new().each("routes", Contents::items(route));
    /// ```
    pub fn items(contents: impl Into<Contents>) -> Self {
        Self(Inside::Items(Box::new(contents.into())))
    }

    /// Describes a value that functions translate and that does not have a name: an item of a list, or the contents of
    /// a variant.
    ///
    /// ```
    /// use kgen_runtime::conversion::{Change, Contents};
    ///
    /// // `timeouts: Vec<i64>`: seconds became milliseconds.
    /// let spec = Change::new().each("timeouts", Contents::value(|seconds: i64| seconds * 1000, |millis: i64| millis / 1000));
    /// ```
    pub fn value<A, B, C, D>(
        forward: impl Fn(A) -> B + Send + Sync + 'static,
        backward: impl Fn(C) -> D + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned,
        B: Serialize,
        C: DeserializeOwned,
        D: Serialize,
    {
        Self(Inside::Value {
            forward: single(forward),
            backward: single(backward),
        })
    }
}

/// Makes a method of a function of one value.
fn single<A: DeserializeOwned, B: Serialize>(function: impl Fn(A) -> B + Send + Sync + 'static) -> Method {
    Method::of::<1, 1, _, _>(move |(value,): (A,)| (function(value),))
}

impl From<Change> for Contents {
    fn from(change: Change) -> Self {
        Self(Inside::Fields(change))
    }
}

impl From<Variants> for Contents {
    fn from(variants: Variants) -> Self {
        Self(Inside::Variants(variants))
    }
}

/// A field of a struct, or a field of a struct within it: `"size"`, or `["tls", "secret"]`.
pub trait Place {
    /// Returns the names from the struct of the table to the field.
    #[doc(hidden)]
    fn path(self) -> Vec<String>;
}

impl Place for &str {
    fn path(self) -> Vec<String> {
        vec![self.to_owned()]
    }
}

impl<const N: usize> Place for [&str; N] {
    fn path(self) -> Vec<String> {
        self.iter().map(|name| (*name).to_owned()).collect()
    }
}

impl Place for &[&str] {
    fn path(self) -> Vec<String> {
        self.iter().map(|name| (*name).to_owned()).collect()
    }
}

/// A field that both versions have: `"ports"`, or `("port", "ports")` if it was renamed.
pub trait Field {
    /// Returns the names in older and newer.
    #[doc(hidden)]
    fn names(self) -> (String, String);
}

impl Field for &str {
    fn names(self) -> (String, String) {
        (self.to_owned(), self.to_owned())
    }
}

impl Field for (&str, &str) {
    fn names(self) -> (String, String) {
        (self.0.to_owned(), self.1.to_owned())
    }
}

impl Change {
    /// Makes a table without lines: both structs are equal.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a field that is called `older` in older and `newer` in newer.
    pub fn renamed(self, older: &str, newer: &str) -> Self {
        self.moved(older, newer)
    }

    /// Declares a field that is in another struct now. Paths begin at the struct of this table and do not lead through
    /// lists.
    pub fn moved(self, older: impl Place, newer: impl Place) -> Self {
        self.pair(older.path(), newer.path(), None)
    }

    /// Declares a field that is in another struct now, and whose contents differ.
    pub fn moved_inside(self, older: impl Place, newer: impl Place, contents: impl Into<Contents>) -> Self {
        self.pair(older.path(), newer.path(), Some(contents.into()))
    }

    /// Declares a field whose contents differ. An `Option` or a `Box` is the same as its contents.
    pub fn inside(self, field: impl Field, contents: impl Into<Contents>) -> Self {
        let (older, newer) = field.names();
        self.pair(vec![older], vec![newer], Some(contents.into()))
    }

    /// Declares a list whose items differ, or a map whose values do.
    pub fn each(self, field: impl Field, contents: impl Into<Contents>) -> Self {
        self.inside(field, Contents::items(contents))
    }

    /// Declares a field whose enum has other variants.
    pub fn variants(self, field: impl Field, variants: Variants) -> Self {
        self.inside(field, variants)
    }

    /// Declares a field that only newer has. It is absent, or has its default, in an object that comes from older.
    pub fn added(mut self, name: &str) -> Self {
        insert(&mut self.newer.read, name);
        insert(&mut self.newer.written, name);
        self.lines.push(Line::Added(name.to_owned()));
        self
    }

    /// Declares a field that only newer has, that it requires, and that does not have a default: `fill` gives the value.
    pub fn added_with<T: Serialize>(self, name: &str, fill: impl Fn() -> T + Send + Sync + 'static) -> Self {
        self.added(name).filled(name, fill)
    }

    /// Declares a field that only older has.
    pub fn dropped(mut self, name: &str) -> Self {
        insert(&mut self.older.read, name);
        insert(&mut self.older.written, name);
        self.lines.push(Line::Dropped(name.to_owned()));
        self
    }

    /// Declares a field that only older has, that it requires, and that does not have a default: `fill` gives the value for
    /// an object that comes from newer.
    pub fn dropped_with<T: Serialize>(
        self,
        name: &str,
        fill: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.dropped(name).filled_before(name, fill)
    }

    /// Declares a field that newer requires, that is optional in older and does not have a default: `fill` gives the value
    /// if there is none.
    ///
    /// `name` is the name in newer; another line can say where its value comes from.
    pub fn filled<T: Serialize>(self, name: &str, fill: impl Fn() -> T + Send + Sync + 'static) -> Self {
        self.fill(true, name, Fill::of(fill))
    }

    /// Declares a field that older requires, that is optional in newer and does not have a default: `fill` gives the value
    /// if there is none.
    pub fn filled_before<T: Serialize>(
        self,
        name: &str,
        fill: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.fill(false, name, Fill::of(fill))
    }

    /// Declares a field with a wider type in newer (`i64` instead of `i32`): the value is copied to newer and translated to
    /// older.
    pub fn widened<A: DeserializeOwned, B: Serialize>(
        self,
        field: impl Field,
        backward: impl Fn(A) -> B + Send + Sync + 'static,
    ) -> Self {
        let (older, newer) = field.names();
        self.translation(
            vec![vec![older]],
            vec![vec![newer]],
            Method::Copy,
            single(backward),
        )
    }

    /// Declares a field with a narrower type in newer (`i32` instead of `i64`): the value is translated to newer and copied
    /// to older.
    pub fn narrowed<A: DeserializeOwned, B: Serialize>(
        self,
        field: impl Field,
        forward: impl Fn(A) -> B + Send + Sync + 'static,
    ) -> Self {
        let (older, newer) = field.names();
        self.translation(
            vec![vec![older]],
            vec![vec![newer]],
            single(forward),
            Method::Copy,
        )
    }

    /// Declares fields that functions translate, which get and return tuples.
    ///
    /// A function is not called if all its sources are absent, unless the schema requires one of its targets, which
    /// does not have a default, and all arguments are `Option`s. A result that is `None` stays absent.
    pub fn translated<const O: usize, const N: usize, A, B, C, D>(
        self,
        older: [impl Place; O],
        newer: [impl Place; N],
        forward: impl Fn(A) -> B + Send + Sync + 'static,
        backward: impl Fn(C) -> D + Send + Sync + 'static,
    ) -> Self
    where
        A: Sources<O>,
        B: Targets<N>,
        C: Sources<N>,
        D: Targets<O>,
    {
        let older = older.into_iter().map(Place::path).collect();
        let newer = newer.into_iter().map(Place::path).collect();
        self.translation(
            older,
            newer,
            Method::of::<O, N, _, _>(forward),
            Method::of::<N, O, _, _>(backward),
        )
    }

    fn pair(mut self, older: Vec<String>, newer: Vec<String>, contents: Option<Contents>) -> Self {
        self.older.note(&older);
        self.newer.note(&newer);
        self.lines.push(Line::Pair {
            older,
            newer,
            contents,
        });
        self
    }

    fn translation(
        mut self,
        older: Vec<Vec<String>>,
        newer: Vec<Vec<String>>,
        forward: Method,
        backward: Method,
    ) -> Self {
        older.iter().for_each(|path| self.older.note(path));
        newer.iter().for_each(|path| self.newer.note(path));
        self.lines.push(Line::Translated {
            older,
            newer,
            forward,
            backward,
        });
        self
    }

    fn fill(mut self, is_newer: bool, name: &str, fill: Fill) -> Self {
        let name = name.to_owned();
        self.lines.push(Line::Filled { is_newer, name, fill });
        self
    }
}
