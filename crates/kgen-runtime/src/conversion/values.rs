//! The arguments and results of the author's methods: tuples that are read from JSON values and written as JSON values.
//!
//! A value that is absent can be read only as an `Option`, exactly as serde treats a missing field.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::de::value::Error as Problem;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::Value;

/// A tuple of `N` arguments of a method. Implemented for tuples of up to eight types that serde can read.
pub trait Sources<const N: usize>: Sized {
    /// Reads the arguments. The error says which value cannot be read.
    #[doc(hidden)]
    fn read(values: [Option<&Value>; N]) -> Result<Self, String>;
}

/// A tuple of `N` results of a method. Implemented for tuples of up to eight types that serde can write.
pub trait Targets<const N: usize>: Sized {
    /// Writes the results; `None` stays absent.
    #[doc(hidden)]
    fn write(self) -> Result<[Option<Value>; N], String>;
}

macro_rules! tuples {
    ($($count:literal: $($name:ident $value:ident),+;)+) => {$(
        impl<$($name: DeserializeOwned),+> Sources<$count> for ($($name,)+) {
            fn read(values: [Option<&Value>; $count]) -> Result<Self, String> {
                let [$($value),+] = values;
                Ok(($(read_one::<$name>($value)?,)+))
            }
        }

        impl<$($name: Serialize),+> Targets<$count> for ($($name,)+) {
            fn write(self) -> Result<[Option<Value>; $count], String> {
                let ($($value,)+) = self;
                Ok([$(write_one(&$value)?),+])
            }
        }
    )+};
}

tuples! {
    1: A a;
    2: A a, B b;
    3: A a, B b, C c;
    4: A a, B b, C c, D d;
    5: A a, B b, C c, D d, E e;
    6: A a, B b, C c, D d, E e, F f;
    7: A a, B b, C c, D d, E e, F f, G g;
    8: A a, B b, C c, D d, E e, F f, G g, H h;
}

fn read_one<T: DeserializeOwned>(value: Option<&Value>) -> Result<T, String> {
    match value {
        Some(value) => T::deserialize(value).map_err(|error| error.to_string()),
        None => T::deserialize(Absent).map_err(|error| error.to_string()),
    }
}

fn write_one<T: Serialize>(value: &T) -> Result<Option<Value>, String> {
    match serde_json::to_value(value) {
        Ok(Value::Null) => Ok(None),
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(format!("the result cannot be written as JSON: {error}")),
    }
}

/// A value that does not exist.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Problem> {
        Err(Problem::custom("the value is missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Why a method gave no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// An argument is missing or has another type.
    Argument(String),
    /// The method panicked, or its result is not JSON.
    Method(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(reason) | Self::Method(reason) => formatter.write_str(reason),
        }
    }
}

type Called = Result<Vec<Option<Value>>, Failure>;
type Function = dyn Fn(&[Option<&Value>]) -> Called + Send + Sync;

/// One direction of a translation.
#[derive(Clone)]
pub(super) enum Method {
    /// The value is copied.
    Copy,
    /// A function of the author is called.
    Call {
        function: Arc<Function>,
        /// Whether all arguments can be absent.
        needs_nothing: bool,
    },
}

impl Method {
    /// Makes a method of a function. The function may panic.
    pub(super) fn of<const S: usize, const T: usize, A, B>(
        function: impl Fn(A) -> B + Send + Sync + 'static,
    ) -> Self
    where
        A: Sources<S>,
        B: Targets<T>,
    {
        let needs_nothing = A::read([None; S]).is_ok();
        let function = move |values: &[Option<&Value>]| {
            let values = <[Option<&Value>; S]>::try_from(values)
                .map_err(|_| Failure::Argument("the number of sources is wrong".to_owned()))?;
            let arguments = A::read(values).map_err(Failure::Argument)?;
            let called = catch_unwind(AssertUnwindSafe(|| function(arguments).write()));
            let written = called.map_err(|panic| Failure::Method(panicked(&*panic)))?;
            Ok(written.map_err(Failure::Method)?.into())
        };
        Self::Call {
            function: Arc::new(function),
            needs_nothing,
        }
    }

    /// Returns whether the method can give values although all its sources are absent.
    pub(super) fn needs_nothing(&self) -> bool {
        matches!(
            self,
            Self::Call {
                needs_nothing: true,
                ..
            }
        )
    }

    /// Calls the method, or copies the first value.
    pub(super) fn call(&self, values: &[Option<&Value>]) -> Called {
        match self {
            Self::Copy => Ok(vec![values.first().copied().flatten().cloned()]),
            Self::Call { function, .. } => function(values),
        }
    }
}

/// A method without arguments, which gives a value where there is none.
#[derive(Clone)]
pub(super) struct Fill(Arc<dyn Fn() -> Result<Option<Value>, Failure> + Send + Sync>);

impl Fill {
    pub(super) fn of<T: Serialize>(function: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self(Arc::new(move || {
            let called = catch_unwind(AssertUnwindSafe(|| write_one(&function())));
            let written = called.map_err(|panic| Failure::Method(panicked(&*panic)))?;
            written.map_err(Failure::Method)
        }))
    }

    pub(super) fn call(&self) -> Result<Option<Value>, Failure> {
        (self.0)()
    }
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    format!("the method panicked: {}", crate::error::panic_text(panic))
}
