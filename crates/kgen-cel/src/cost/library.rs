//! The costs that Kubernetes and the extensions of `cel-go` state for their functions.

use super::paths::Step;
use super::range::{REGEX, Range, TRAVERSAL};
use super::{Argument, Call, CallCost, Estimator, LIST};
use crate::schema::Schema;
use crate::tree::{Expression, Literal};
use crate::types::Type;

/// The assumed length of the regular expression of a named format.
const FORMAT_REGEX: f64 = 128.0;
/// The length of the longest name of a format.
const FORMAT_NAME: u64 = 64;
/// The cost of checking a permission.
const PERMISSION: Range = Range::exactly(350_000);
/// The bytes of an address.
const ADDRESS: Range = Range::new(4, 16);

impl<'a, S: Schema> Estimator<'_, 'a, S> {
    /// Returns the cost that a library states for a call, without its arguments; `None` if it states none.
    pub(super) fn library(&self, call: &Call<'_>, overload: &str) -> Option<CallCost> {
        if let Some(stated) = self.extension(call, overload) {
            return Some(stated);
        }
        let first = call.arguments.first();
        match (call.function, call.target, first) {
            ("check", ..) => Some(CallCost::of(PERMISSION)),
            ("fieldSelector" | "labelSelector", _, Some(selector)) => {
                let size = self.size_of(selector);
                let requirements = size.scaled(0.5).scaled(50.0);
                Some(CallCost::of(LIST.plus(size.scaled(TRAVERSAL)).plus(requirements)))
            }
            (
                "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes",
                Some(target),
                _,
            ) => Some(self.traversal(call.function, &target)),
            ("url", _, Some(text)) if call.arguments.len() == 1 => {
                let size = self.size_of(text);
                Some(CallCost::with_result(size.scaled(TRAVERSAL), size))
            }
            ("lowerAscii" | "upperAscii" | "substring" | "trim", Some(target), _) => {
                let size = self.size_of(&target);
                Some(CallCost::with_result(size.scaled(TRAVERSAL), size))
            }
            ("replace", Some(target), _) => self.replacement(&target, call.arguments),
            ("split", Some(target), _) => Some(self.splitting(&target, call.arguments.get(1))),
            ("join", Some(target), separator) => Some(self.joining(&target, separator)),
            ("find" | "findAll", Some(target), Some(pattern)) => {
                let size = self.size_of(&target);
                let text = size.plus(Range::ONE).scaled(TRAVERSAL);
                let cost = text.times(self.size_of(pattern).scaled(REGEX));
                Some(CallCost::with_result(cost, Range::new(0, size.most)))
            }
            ("ip", ..) if overload == "cidr_ip" => Some(CallCost::of(Range::ONE)),
            (
                "cidr" | "ip" | "isCIDR" | "isIP" | "isQuantity" | "isSemver" | "quantity" | "semver",
                _,
                Some(text),
            ) => Some(CallCost::of(self.size_of(text).scaled(TRAVERSAL))),
            ("ip.isCanonical", _, Some(text)) => {
                Some(CallCost::of(self.size_of(text).scaled(2.0 * TRAVERSAL)))
            }
            ("containsIP" | "containsCIDR", _, Some(other)) => {
                let mut cost = ADDRESS.plus(ADDRESS).scaled(TRAVERSAL);
                if call.function == "containsCIDR" {
                    cost = cost.plus(ADDRESS.scaled(TRAVERSAL)).plus(Range::ONE);
                }
                if overload.ends_with("_string") {
                    cost = cost.plus(self.size_of(other).scaled(TRAVERSAL));
                }
                Some(CallCost::of(cost))
            }
            ("validate", _, Some(text)) => {
                let cost = self.size_of(text).scaled(TRAVERSAL).scaled(FORMAT_REGEX * REGEX);
                Some(CallCost::of(cost))
            }
            ("_==_", ..) => self.equality(call.arguments),
            (function, ..) => is_cheap(function).then_some(CallCost::of(Range::ONE)),
        }
    }

    /// Returns the cost that an extension of `cel-go` states. It takes precedence over Kubernetes.
    fn extension(&self, call: &Call<'_>, overload: &str) -> Option<CallCost> {
        let size = |argument: &Argument| self.size_of(argument);
        let allocating = |factor: f64, size: Range| {
            CallCost::with_result(size.scaled(factor).plus(Range::ONE).plus(LIST), size)
        };
        match (overload, call.target, call.arguments) {
            ("list_sets_contains_list" | "list_sets_intersects_list", _, [left, right]) => Some(
                CallCost::of(size(left).times(size(right)).scaled(1.0).plus(Range::ONE)),
            ),
            ("list_sets_equivalent_list", _, [left, right]) => Some(CallCost::of(
                size(left).times(size(right)).scaled(2.0).plus(Range::ONE),
            )),
            ("list_slice", Some(target), [start, end]) => {
                let most = size(&target).most;
                let (start, end) = (self.number(start, 0), self.number(end, most));
                Some(allocating(1.0, Range::exactly(end.wrapping_sub(start))))
            }
            ("lists_range", None, [count]) => {
                Some(allocating(1.0, Range::exactly(self.number(count, u64::MAX))))
            }
            ("list_reverse", Some(target), []) => Some(allocating(1.0, size(&target))),
            ("list_flatten", Some(target), []) => Some(allocating(1.0, size(&target))),
            ("list_flatten_int", Some(target), [depth]) => {
                #[expect(clippy::cast_precision_loss, reason = "the API server does the same")]
                let depth = self.number(depth, u64::MAX) as f64;
                Some(allocating(depth, size(&target)))
            }
            ("list_distinct", Some(target), []) => {
                let size = size(&target);
                Some(allocating(2.0, size.times(size)))
            }
            (overload, Some(target), _) if overload.starts_with("list_") => {
                let sorted = match (call.function, call.arguments) {
                    ("sort", []) => target,
                    ("@sortByAssociatedKeys", [keys]) => *keys,
                    _ => return None,
                };
                let has_text = overload.starts_with("list_string") || overload.starts_with("list_bytes");
                let factor = if has_text { 2.0 + TRAVERSAL } else { 2.0 };
                let size = size(&sorted);
                Some(allocating(factor, size.times(size)))
            }
            _ => None,
        }
    }

    fn size_of(&self, argument: &Argument) -> Range {
        argument
            .size
            .or_else(|| self.declared_size(argument.path))
            .unwrap_or(Range::UNKNOWN)
    }

    /// Returns the value of a literal, or `otherwise`.
    fn number(&self, argument: &Argument, otherwise: u64) -> u64 {
        match self.tree().expression(argument.id) {
            Some(Expression::Literal(Literal::Int(number))) => u64::try_from(*number).unwrap_or_default(),
            _ => otherwise,
        }
    }

    /// Returns the type of the items of a list, and their size.
    fn items(&self, list: &Argument) -> Option<(Type, Range)> {
        let item = match self.checked.types.get(list.type_id) {
            Type::List(item) | Type::Map(item, _) | Type::Optional(item) | Type::Meta(item) => item,
            _ => return None,
        };
        let size = list.path.and_then(|path| {
            let mut steps: Vec<Step<'a>> = self.paths.steps(path).to_vec();
            steps.push(Step::Items);
            self.declared_size_of(&steps)
        });
        Some((self.checked.types.get(item), size.unwrap_or(Range::UNKNOWN)))
    }

    /// Returns the cost of a function that reads every item of a list, or every character of a string.
    fn traversal(&self, function: &str, target: &Argument) -> CallCost {
        let size = self.size_of(target);
        CallCost::of(match self.items(target) {
            Some((Type::Text | Type::Bytes, item)) => size.times(Range::ONE.plus(item.scaled(TRAVERSAL))),
            Some(_) => size,
            None if function == "includes" => size,
            None => size.scaled(TRAVERSAL),
        })
    }

    fn replacement(&self, target: &Argument, arguments: &[Argument]) -> Option<CallCost> {
        let [old, new, ..] = arguments else { return None };
        let (size, old, new) = (self.size_of(target), self.size_of(old), self.size_of(new));
        let (mut count, mut kept) = (Range::NONE, Range::NONE);
        if old.least == 0 {
            // The empty string matches around every character.
            count.most = size.most.saturating_add(1);
            kept.most = size.most;
        } else if new.most <= old.least {
            kept.most = size.most;
        } else {
            count.most = quotient(size.most, old.least);
        }
        if old.most == 0 {
            count.least = size.least.saturating_add(1);
            kept.least = size.least;
        } else if old.most <= new.least {
            kept.least = size.least;
        } else {
            count.least = quotient(size.least, old.most);
        }
        let result = count.times(new).plus(kept);
        Some(CallCost::with_result(size.scaled(2.0 * TRAVERSAL), result))
    }

    fn splitting(&self, target: &Argument, limit: Option<&Argument>) -> CallCost {
        let size = self.size_of(target);
        let limit = limit.and_then(|limit| match self.tree().expression(limit.id) {
            Some(Expression::Literal(Literal::Int(number))) => Some(number.cast_unsigned()),
            _ => None,
        });
        let most = limit.unwrap_or(size.most);
        CallCost::with_result(size.scaled(2.0 * TRAVERSAL), Range::new(0, most))
    }

    fn joining(&self, target: &Argument, separator: Option<&Argument>) -> CallCost {
        let count = self.size_of(target);
        let mut size = match self.items(target) {
            Some((_, item)) => count.times(item),
            None => Range::NONE,
        };
        if let Some(separator) = separator {
            let between = Range::new(count.least.saturating_sub(1), count.most.saturating_sub(1));
            size = size.plus(self.size_of(separator).times(between));
        }
        CallCost::with_result(size.scaled(TRAVERSAL), size)
    }

    /// Returns the cost of comparing values of the types of Kubernetes, which is nearly constant.
    fn equality(&self, arguments: &[Argument]) -> Option<CallCost> {
        let [left, right] = arguments else { return None };
        let (Type::Named(name), true) = (
            self.checked.types.get(left.type_id),
            left.type_id == right.type_id,
        ) else {
            return None;
        };
        Some(CallCost::of(match name {
            "kubernetes.NamedFormat" => Range::new(1, FORMAT_NAME).scaled(TRAVERSAL),
            "kubernetes.URL" => {
                let most = right.size.map_or(1, |size| size.most);
                Range::new(1, most).scaled(TRAVERSAL)
            }
            _ => Range::ONE,
        }))
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the API server divides in the same way"
)]
fn quotient(size: u64, part: u64) -> u64 {
    (size as f64 / part as f64).ceil() as u64
}

/// Returns whether a function reads only one part of a value.
fn is_cheap(function: &str) -> bool {
    matches!(
        function,
        "add"
            | "allowed"
            | "asApproximateFloat"
            | "asInteger"
            | "compareTo"
            | "error"
            | "errored"
            | "family"
            | "format.named"
            | "getEscapedPath"
            | "getHost"
            | "getHostname"
            | "getPort"
            | "getQuery"
            | "getScheme"
            | "group"
            | "isGlobalUnicast"
            | "isGreaterThan"
            | "isInteger"
            | "isLessThan"
            | "isLinkLocalMulticast"
            | "isLinkLocalUnicast"
            | "isLoopback"
            | "isUnspecified"
            | "major"
            | "masked"
            | "minor"
            | "name"
            | "namespace"
            | "patch"
            | "path"
            | "prefixLength"
            | "reason"
            | "resource"
            | "serviceAccount"
            | "sign"
            | "sub"
            | "subresource"
    )
}
