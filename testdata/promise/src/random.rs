//! Random values of the types that need no declaration, their limits more often than others.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, Saturating, Wrapping};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use fastrand::Rng;
use serde_json::{Map, Number, Value};

/// A type with random values.
pub trait Random {
    /// Makes one.
    fn random(rng: &mut Rng) -> Self;
}

macro_rules! integers {
    ($($name:ident)*) => {$(
        impl Random for $name {
            fn random(rng: &mut Rng) -> Self {
                match rng.u8(..6) {
                    0 => Self::MIN,
                    1 => Self::MAX,
                    2 => 0,
                    3 => 1,
                    _ => rng.$name(..),
                }
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 }

/// JSON of Kubernetes has no integers beyond `i64::MAX`; `docs/book/src/deviations.md` lists that.
impl Random for u64 {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..4) {
            0 => i64::MAX as Self,
            1 => 0,
            _ => rng.u64(..) >> 1,
        }
    }
}

impl Random for usize {
    fn random(rng: &mut Rng) -> Self {
        usize::try_from(u64::random(rng)).unwrap_or(0)
    }
}

macro_rules! non_zero {
    ($($name:ty, $of:ident;)*) => {$(
        impl Random for $name {
            fn random(rng: &mut Rng) -> Self {
                Self::new($of::random(rng)).unwrap_or(Self::MIN)
            }
        }
    )*};
}

non_zero! {
    NonZeroU8, u8;
    NonZeroU16, u16;
    NonZeroU32, u32;
    NonZeroU64, u64;
    NonZero<i8>, i8;
    NonZero<i64>, i64;
}

impl<T: Random> Random for Saturating<T> {
    fn random(rng: &mut Rng) -> Self {
        Self(T::random(rng))
    }
}

impl<T: Random> Random for Wrapping<T> {
    fn random(rng: &mut Rng) -> Self {
        Self(T::random(rng))
    }
}

impl<T: Random> Random for std::cmp::Reverse<T> {
    fn random(rng: &mut Rng) -> Self {
        Self(T::random(rng))
    }
}

impl Random for bool {
    fn random(rng: &mut Rng) -> Self {
        rng.bool()
    }
}

impl Random for f32 {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..8) {
            0 => Self::MIN,
            1 => Self::MAX,
            2 => Self::MIN_POSITIVE,
            3 => -0.0,
            4 => 1e10,
            5 => 1.5,
            _ => Self::from_bits(rng.u32(..))
                .clamp(Self::MIN, Self::MAX)
                .max(-1e30),
        }
    }
}

impl Random for f64 {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..8) {
            0 => Self::MIN,
            1 => Self::MAX,
            2 => Self::MIN_POSITIVE,
            3 => -0.0,
            4 => 1e20,
            5 => 1.5,
            _ => Self::from_bits(rng.u64(..))
                .clamp(Self::MIN, Self::MAX)
                .max(-1e300),
        }
    }
}

const TEXTS: &[&str] = &[
    "",
    "a",
    "A",
    "ß",
    "🦀",
    "null",
    "0",
    "-1",
    "1.5",
    " ",
    "a/b",
    "127.0.0.1",
    "::1",
    "10Mi",
    "true",
    "line\nbreak",
    "\u{0}",
    "2024-01-01T00:00:00Z",
    "quite a long text, longer than any limit of sixty-three characters",
];

impl Random for String {
    fn random(rng: &mut Rng) -> Self {
        TEXTS[rng.usize(..TEXTS.len())].to_owned()
    }
}

impl Random for Box<str> {
    fn random(rng: &mut Rng) -> Self {
        String::random(rng).into()
    }
}

impl Random for Cow<'static, str> {
    fn random(rng: &mut Rng) -> Self {
        String::random(rng).into()
    }
}

impl Random for Cow<'static, i16> {
    fn random(rng: &mut Rng) -> Self {
        Cow::Owned(Random::random(rng))
    }
}

impl Random for PathBuf {
    fn random(rng: &mut Rng) -> Self {
        String::random(rng).into()
    }
}

impl Random for char {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..3) {
            0 => rng.char(..),
            1 => '\u{0}',
            _ => rng.alphanumeric(),
        }
    }
}

impl Random for Ipv4Addr {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..3) {
            0 => Self::UNSPECIFIED,
            1 => Self::BROADCAST,
            _ => Self::from_bits(rng.u32(..)),
        }
    }
}

impl Random for Ipv6Addr {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..6) {
            0 => Self::UNSPECIFIED,
            1 => Self::LOCALHOST,
            2 => Ipv4Addr::random(rng).to_ipv6_mapped(),
            3 => Ipv4Addr::random(rng).to_ipv6_compatible(),
            4 => Self::from_bits(rng.u128(..) & 0xffff_0000_0000_0000_0000_0000_ffff_0001),
            _ => Self::from_bits(rng.u128(..)),
        }
    }
}

impl Random for IpAddr {
    fn random(rng: &mut Rng) -> Self {
        if rng.bool() {
            Self::V4(Random::random(rng))
        } else {
            Self::V6(Random::random(rng))
        }
    }
}

impl Random for SocketAddrV4 {
    fn random(rng: &mut Rng) -> Self {
        Self::new(Random::random(rng), Random::random(rng))
    }
}

impl Random for SocketAddrV6 {
    fn random(rng: &mut Rng) -> Self {
        let scope = if rng.bool() { 0 } else { u32::random(rng) };
        Self::new(Random::random(rng), Random::random(rng), 0, scope)
    }
}

impl Random for SocketAddr {
    fn random(rng: &mut Rng) -> Self {
        if rng.bool() {
            Self::V4(Random::random(rng))
        } else {
            Self::V6(Random::random(rng))
        }
    }
}

impl Random for Duration {
    fn random(rng: &mut Rng) -> Self {
        Self::new(u64::random(rng), rng.u32(..1_000_000_000))
    }
}

/// Years beyond four digits are a known gap.
impl Random for DateTime<Utc> {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..4) {
            0 => Self::UNIX_EPOCH,
            1 => Self::from_timestamp(253_402_300_799, 999_999_999).unwrap_or_default(),
            _ => Self::from_timestamp(
                rng.i64(-60_000_000_000..253_402_300_799),
                rng.u32(..1_000_000_000),
            )
            .unwrap_or_default(),
        }
    }
}

impl Random for NaiveDate {
    fn random(rng: &mut Rng) -> Self {
        DateTime::random(rng).date_naive()
    }
}

impl<T: Random> Random for Option<T> {
    fn random(rng: &mut Rng) -> Self {
        rng.bool().then(|| T::random(rng))
    }
}

macro_rules! pointers {
    ($($name:ident)*) => {$(
        impl<T: Random> Random for $name<T> {
            fn random(rng: &mut Rng) -> Self {
                Self::new(T::random(rng))
            }
        }
    )*};
}

pointers! { Arc Box Cell Mutex Rc RefCell RwLock }

impl<T: Random, const N: usize> Random for [T; N] {
    fn random(rng: &mut Rng) -> Self {
        std::array::from_fn(|_| T::random(rng))
    }
}

macro_rules! lists {
    ($($name:ident $(: $bound:ident)?;)*) => {$(
        impl<T: Random $(+ $bound)?> Random for $name<T> {
            fn random(rng: &mut Rng) -> Self {
                (0..rng.usize(..4)).map(|_| T::random(rng)).collect()
            }
        }
    )*};
}

lists! {
    Vec;
    VecDeque;
    BTreeSet: Ord;
}

impl<K: Random + Ord, V: Random> Random for BTreeMap<K, V> {
    fn random(rng: &mut Rng) -> Self {
        (0..rng.usize(..4))
            .map(|_| (K::random(rng), V::random(rng)))
            .collect()
    }
}

impl<T: Random + Eq + Hash> Random for HashSet<T> {
    fn random(rng: &mut Rng) -> Self {
        (0..rng.usize(..4)).map(|_| T::random(rng)).collect()
    }
}

impl<V: Random> Random for HashMap<String, V> {
    fn random(rng: &mut Rng) -> Self {
        BTreeMap::random(rng).into_iter().collect()
    }
}

impl Random for Value {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..10) {
            0 | 1 => Self::Null,
            2 => Self::Bool(rng.bool()),
            3 => Self::Number(Random::random(rng)),
            4 | 5 => Self::String(Random::random(rng)),
            6 => Self::Array(Random::random(rng)),
            _ => Self::Object(Random::random(rng)),
        }
    }
}

impl Random for Map<String, Value> {
    fn random(rng: &mut Rng) -> Self {
        (0..rng.usize(..3))
            .map(|_| (String::random(rng), Value::random(rng)))
            .collect()
    }
}

impl Random for Number {
    fn random(rng: &mut Rng) -> Self {
        if rng.bool() {
            i64::random(rng).into()
        } else {
            Self::from_f64(f64::random(rng)).unwrap_or_else(|| 0.into())
        }
    }
}
