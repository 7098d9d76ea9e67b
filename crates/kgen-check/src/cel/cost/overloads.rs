//! What one overload of a function costs, as `cel-go` counts.

use super::range::{REGEX, Range, TRAVERSAL};
use super::{Argument, Call, CallCost, EntrySize, Estimator};

impl Estimator<'_, '_, '_> {
    /// The cost of one overload: what Kubernetes says, else what `cel-go` says.
    pub(super) fn overload(&mut self, call: &Call<'_>, overload: &str) -> CallCost {
        let arguments = call.costs.iter().fold(Range::NONE, |sum, cost| sum.plus(*cost));
        if let Some(stated) = self.library(call, overload) {
            return CallCost {
                cost: stated.cost.plus(arguments),
                ..stated
            };
        }
        let known = match (overload, call.target, call.arguments) {
            ("logical_and" | "logical_or", _, _) => {
                let left = call.costs.first().copied().unwrap_or(Range::NONE);
                return CallCost::of(Range::new(left.least, arguments.most));
            }
            ("conditional", _, [_, then, otherwise]) => {
                return self.conditional(call, then, otherwise);
            }
            ("string_format", Some(target), _) => CallCost::of(self.known_size(&target).scaled(TRAVERSAL)),
            ("string_to_bytes", _, [argument]) => {
                let size = self.known_size(argument);
                let result = Range::new(size.least, size.most.wrapping_mul(4));
                CallCost::with_result(size.scaled(TRAVERSAL), result)
            }
            ("bytes_to_string", _, [argument]) => {
                let size = self.known_size(argument);
                let result = Range::new(size.least / 4, size.most);
                CallCost::with_result(size.scaled(TRAVERSAL), result)
            }
            ("strings_quote", _, [argument]) => {
                let size = self.known_size(argument);
                let result = Range::new(
                    size.least.wrapping_add(2),
                    size.most.wrapping_mul(2).wrapping_add(2),
                );
                CallCost::with_result(size.scaled(TRAVERSAL), result)
            }
            ("starts_with_string" | "ends_with_string", _, [argument]) => {
                CallCost::of(self.known_size(argument).scaled(TRAVERSAL))
            }
            ("in_list", _, [_, list]) => CallCost::of(self.known_size(list)),
            ("matches_string", Some(target), [pattern]) => {
                let text = self.known_size(&target).plus(Range::ONE).scaled(TRAVERSAL);
                CallCost::of(text.times(self.known_size(pattern).scaled(REGEX)))
            }
            ("contains_string", Some(target), [part]) => {
                let text = self.known_size(&target).scaled(TRAVERSAL);
                CallCost::of(text.times(self.known_size(part).scaled(TRAVERSAL)))
            }
            ("add_string" | "add_bytes" | "add_list", _, [left, right]) => {
                self.addition(call, left, right, overload == "add_list")
            }
            (overload, _, [left, right]) if compares_content(overload) => {
                let most = self.known_size(left).most.min(self.known_size(right).most);
                CallCost::of(Range::new(most.min(1), most).scaled(TRAVERSAL))
            }
            _ => CallCost::of(Range::ONE),
        };
        CallCost {
            cost: known.cost.plus(arguments),
            ..known
        }
    }

    fn conditional(&mut self, call: &Call<'_>, then: &Argument, otherwise: &Argument) -> CallCost {
        let size = self.known_size(then).joined(self.known_size(otherwise));
        let entries = EntrySize::joined(self.entry_size(then.id), self.entry_size(otherwise.id));
        self.set_entries(call.id, entries);
        let cost = match call.costs {
            [condition, then, otherwise] => condition.plus(then.joined(*otherwise)),
            _ => Range::NONE,
        };
        CallCost::with_result(cost, size)
    }

    fn addition(&mut self, call: &Call<'_>, left: &Argument, right: &Argument, is_list: bool) -> CallCost {
        let size = self.known_size(left).plus(self.known_size(right));
        let entries = EntrySize::joined(self.entry_size(left.id), self.entry_size(right.id));
        self.set_entries(call.id, entries);
        let cost = if is_list {
            Range::ONE
        } else {
            size.scaled(TRAVERSAL)
        };
        CallCost::with_result(cost, size)
    }
}

/// Whether an overload compares two values part by part.
fn compares_content(overload: &str) -> bool {
    matches!(overload, "equals" | "not_equals")
        || (overload.starts_with("less_") || overload.starts_with("greater_"))
            && (overload.ends_with("_string") || overload.ends_with("_bytes"))
}
