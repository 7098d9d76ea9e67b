//! Constraints on a value, and the combination of two levels.

use std::cmp::Ordering;

use kgen_diagnostics::{Span, TextOrigin};
use serde_json::Value;

use super::Schema;
use crate::{Empty, Number, Sparse};

/// A CEL rule of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// The expression.
    pub rule: String,
    /// The message if it fails.
    pub message: Option<String>,
    /// An expression for the message.
    pub message_expression: Option<String>,
    /// The machine-readable reason.
    pub reason: Option<String>,
    /// The field to blame.
    pub field_path: Option<String>,
    /// Whether the rule also runs without an old value.
    pub optional_old_self: Option<bool>,
    /// The place of the rule; `None` for rules that follow from another marker.
    pub span: Option<Span>,
    /// Where its expression is written, if only that is known.
    pub expression_span: Option<Span>,
    /// Where its field path is written, if only that is known.
    pub field_path_span: Option<Span>,
    /// Where the parts of its texts are written, as far as that is known.
    pub origins: RuleOrigins,
}

impl Rule {
    /// Returns the rule without its places, so that it can be compared.
    #[must_use]
    pub fn without_places(&self) -> Self {
        Self {
            rule: self.rule.clone(),
            message: self.message.clone(),
            message_expression: self.message_expression.clone(),
            reason: self.reason.clone(),
            field_path: self.field_path.clone(),
            optional_old_self: self.optional_old_self,
            ..Self::default()
        }
    }
}

/// The places of the parts of the expressions of a rule. Unknown for expressions that code computes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleOrigins {
    /// Of the rule.
    pub rule: TextOrigin,
    /// Of the message expression.
    pub message_expression: TextOrigin,
}

/// Constraints on a value besides its type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// `format`, from a marker or a well-known type.
    pub format: Option<String>,
    /// `pattern`.
    pub pattern: Option<String>,
    /// `enum`.
    pub enumeration: Option<Vec<Value>>,
    /// `minimum`.
    pub minimum: Option<Number>,
    /// `exclusiveMinimum`.
    pub exclusive_minimum: bool,
    /// `maximum`.
    pub maximum: Option<Number>,
    /// `exclusiveMaximum`.
    pub exclusive_maximum: bool,
    /// `multipleOf`.
    pub multiple_of: Option<Number>,
    /// `minLength`.
    pub min_length: Option<i64>,
    /// `maxLength`.
    pub max_length: Option<i64>,
    /// `minItems`.
    pub min_items: Option<i64>,
    /// `maxItems`.
    pub max_items: Option<i64>,
    /// `minProperties`.
    pub min_properties: Option<i64>,
    /// `maxProperties`.
    pub max_properties: Option<i64>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `x-kubernetes-validations`, in the order in which they are written.
    pub rules: Vec<Rule>,
    /// `allOf`: constraints of two levels that cannot be combined in one keyword.
    pub all_of: Vec<Schema>,
}

/// Two levels that exclude all values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Two enumerations without a common value.
    Enumerations,
}

impl Empty for Constraints {
    fn empty() -> &'static Self {
        static EMPTY: Constraints = Constraints {
            format: None,
            pattern: None,
            enumeration: None,
            minimum: None,
            exclusive_minimum: false,
            maximum: None,
            exclusive_maximum: false,
            multiple_of: None,
            min_length: None,
            max_length: None,
            min_items: None,
            max_items: None,
            min_properties: None,
            max_properties: None,
            unique_items: false,
            rules: Vec::new(),
            all_of: Vec::new(),
        };
        &EMPTY
    }
}

impl Sparse<Constraints> {
    /// Combines the constraints of this level with inherited ones, like [`Constraints::combine`].
    ///
    /// # Errors
    /// Returns an error if no value can satisfy both levels.
    pub fn inherit(&mut self, inherited: Self) -> Result<(), Conflict> {
        if inherited.is_unset() {
            return Ok(());
        }
        if self.is_unset() {
            *self = inherited;
            return Ok(());
        }
        self.combine(inherited.into_inner())
    }
}

impl Sparse<Constraints> {
    /// Removes the constraints that another level states, too. Returns whether there was one. The values of a Rust enum stay,
    /// because serde cannot read others.
    pub fn give_way(&mut self, stated: &Constraints) -> bool {
        if self.is_unset() {
            return false;
        }
        let mut changed = false;
        let mut drop_if = |is_stated: bool, is_there: bool, remove: &mut dyn FnMut()| {
            if is_stated && is_there {
                remove();
                changed = true;
            }
        };
        macro_rules! parts {
            ($($part:ident)*) => {
                $(drop_if(stated.$part.is_some(), self.$part.is_some(), &mut || self.$part = None);)*
            };
        }
        parts! { format pattern multiple_of min_length max_length min_items max_items min_properties max_properties }
        drop_if(stated.minimum.is_some(), self.minimum.is_some(), &mut || {
            self.minimum = None;
            self.exclusive_minimum = false;
        });
        drop_if(stated.maximum.is_some(), self.maximum.is_some(), &mut || {
            self.maximum = None;
            self.exclusive_maximum = false;
        });
        changed
    }
}

impl Constraints {
    /// Returns the constraints that apply to values of one type: bounds, lengths, counts and the pattern.
    #[must_use]
    pub fn bounds(&self) -> Self {
        let mut bounds = Self::default();
        bounds.bound_by(self);
        bounds
    }

    /// Takes over the bounds, lengths, counts and the pattern of others.
    pub fn bound_by(&mut self, other: &Self) {
        self.pattern.clone_from(&other.pattern);
        self.minimum = other.minimum;
        self.exclusive_minimum = other.exclusive_minimum;
        self.maximum = other.maximum;
        self.exclusive_maximum = other.exclusive_maximum;
        self.multiple_of = other.multiple_of;
        self.min_length = other.min_length;
        self.max_length = other.max_length;
        self.min_items = other.min_items;
        self.max_items = other.max_items;
        self.min_properties = other.min_properties;
        self.max_properties = other.max_properties;
        self.unique_items = other.unique_items;
    }

    /// Combines the constraints of this level with those that it inherits from the level below.
    ///
    /// The tighter bound wins, equal values collapse, enumerations intersect. Two patterns or formats go to `allOf`,
    /// the inherited one first. Rules of this level come before the inherited ones.
    ///
    /// # Errors
    /// Returns an error if no value can satisfy both levels.
    pub fn combine(&mut self, inherited: Self) -> Result<(), Conflict> {
        self.combine_minimum(&inherited);
        self.combine_maximum(&inherited);
        self.combine_multiple_of(inherited.multiple_of);
        tighten(&mut self.min_length, inherited.min_length, i64::max);
        tighten(&mut self.max_length, inherited.max_length, i64::min);
        tighten(&mut self.min_items, inherited.min_items, i64::max);
        tighten(&mut self.max_items, inherited.max_items, i64::min);
        tighten(&mut self.min_properties, inherited.min_properties, i64::max);
        tighten(&mut self.max_properties, inherited.max_properties, i64::min);
        self.unique_items |= inherited.unique_items;
        let mut all_of = inherited.all_of;
        let (lower, upper) = (inherited.pattern, self.pattern.take());
        self.pattern = one_or_all(lower, upper, &mut all_of, |pattern, part| {
            part.pattern = Some(pattern)
        });
        let (lower, upper) = (inherited.format, self.format.take());
        self.format = one_or_all(lower, upper, &mut all_of, |format, part| {
            part.format = Some(format)
        });
        all_of.append(&mut self.all_of);
        self.all_of = all_of;
        self.rules.extend(inherited.rules);
        self.combine_enumeration(inherited.enumeration)
    }

    fn combine_minimum(&mut self, inherited: &Self) {
        let Some(lower) = inherited.minimum else {
            self.exclusive_minimum |= inherited.exclusive_minimum;
            return;
        };
        let order = self.minimum.map_or(Ordering::Less, |own| own.compare(lower));
        match order {
            Ordering::Less => {
                // An exclusive flag without a bound applies to the inherited bound.
                let own_mark = self.minimum.is_none() && self.exclusive_minimum;
                self.minimum = Some(lower);
                self.exclusive_minimum = inherited.exclusive_minimum || own_mark;
            }
            Ordering::Equal => self.exclusive_minimum |= inherited.exclusive_minimum,
            Ordering::Greater => {}
        }
    }

    fn combine_maximum(&mut self, inherited: &Self) {
        let Some(upper) = inherited.maximum else {
            self.exclusive_maximum |= inherited.exclusive_maximum;
            return;
        };
        let order = self.maximum.map_or(Ordering::Greater, |own| own.compare(upper));
        match order {
            Ordering::Greater => {
                let own_mark = self.maximum.is_none() && self.exclusive_maximum;
                self.maximum = Some(upper);
                self.exclusive_maximum = inherited.exclusive_maximum || own_mark;
            }
            Ordering::Equal => self.exclusive_maximum |= inherited.exclusive_maximum,
            Ordering::Less => {}
        }
    }

    fn combine_multiple_of(&mut self, inherited: Option<Number>) {
        let Some(lower) = inherited else { return };
        let Some(own) = self.multiple_of else {
            self.multiple_of = Some(lower);
            return;
        };
        if own == lower {
            return;
        }
        if let Some(common) = own.least_common_multiple(lower) {
            self.multiple_of = Some(common);
        } else {
            self.multiple_of = None;
            for factor in [lower, own] {
                let constraints = Self {
                    multiple_of: Some(factor),
                    ..Self::default()
                };
                self.all_of.push(Schema {
                    constraints: constraints.into(),
                    ..Schema::default()
                });
            }
        }
    }

    fn combine_enumeration(&mut self, inherited: Option<Vec<Value>>) -> Result<(), Conflict> {
        let Some(lower) = inherited else { return Ok(()) };
        match &mut self.enumeration {
            None => self.enumeration = Some(lower),
            Some(own) => {
                own.retain(|value| lower.contains(value));
                if own.is_empty() {
                    return Err(Conflict::Enumerations);
                }
            }
        }
        Ok(())
    }
}

fn tighten(own: &mut Option<i64>, inherited: Option<i64>, choose: fn(i64, i64) -> i64) {
    *own = match (*own, inherited) {
        (Some(own), Some(inherited)) => Some(choose(own, inherited)),
        (own, inherited) => own.or(inherited),
    };
}

/// Returns the value on which both levels agree; if they differ, both go to `all_of`, the lower level first.
fn one_or_all(
    lower: Option<String>,
    upper: Option<String>,
    all_of: &mut Vec<Schema>,
    set: fn(String, &mut Constraints),
) -> Option<String> {
    match (lower, upper) {
        (Some(lower), Some(upper)) if lower != upper => {
            for value in [lower, upper] {
                let mut part = Schema::default();
                set(value, &mut part.constraints);
                all_of.push(part);
            }
            None
        }
        (lower, upper) => upper.or(lower),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(minimum: Option<i64>, maximum: Option<i64>) -> Constraints {
        Constraints {
            minimum: minimum.map(Number::Integer),
            maximum: maximum.map(Number::Integer),
            ..Constraints::default()
        }
    }

    #[test]
    fn the_tighter_bound_wins() {
        let mut field = bounds(Some(5), Some(1000));
        field.combine(bounds(Some(0), Some(255))).unwrap();
        assert_eq!(field, bounds(Some(5), Some(255)));
    }

    #[test]
    fn an_exclusive_mark_follows_its_bound() {
        let mut field = bounds(Some(5), None);
        field
            .combine(Constraints {
                exclusive_minimum: true,
                ..bounds(Some(0), None)
            })
            .unwrap();
        assert!(!field.exclusive_minimum);

        let mut mark_only = Constraints {
            exclusive_maximum: true,
            ..Constraints::default()
        };
        mark_only.combine(bounds(None, Some(9))).unwrap();
        assert_eq!(
            mark_only,
            Constraints {
                exclusive_maximum: true,
                ..bounds(None, Some(9))
            }
        );
    }

    #[test]
    fn two_patterns_go_to_all_of_and_the_type_comes_first() {
        let pattern = |text: &str| Constraints {
            pattern: Some(text.to_owned()),
            ..Constraints::default()
        };
        let mut field = pattern("^b$");
        field.combine(pattern("^a$")).unwrap();
        let parts: Vec<_> = field
            .all_of
            .iter()
            .map(|part| part.constraints.pattern.as_deref())
            .collect();
        assert_eq!(parts, [Some("^a$"), Some("^b$")]);
        assert_eq!(field.pattern, None);

        let mut same = pattern("^a$");
        same.combine(pattern("^a$")).unwrap();
        assert_eq!(same, pattern("^a$"));
    }

    #[test]
    fn multiples_become_the_least_common_one() {
        let multiple = |value| Constraints {
            multiple_of: Some(value),
            ..Constraints::default()
        };
        let mut field = multiple(Number::Integer(4));
        field.combine(multiple(Number::Integer(6))).unwrap();
        assert_eq!(field.multiple_of, Some(Number::Integer(12)));

        let mut fraction = multiple(Number::Float(0.5));
        fraction.combine(multiple(Number::Integer(3))).unwrap();
        assert_eq!(fraction.multiple_of, None);
        assert_eq!(fraction.all_of.len(), 2);
    }

    #[test]
    fn enumerations_intersect_and_never_vanish() {
        let values = |list: &[&str]| Constraints {
            enumeration: Some(list.iter().map(|value| Value::from(*value)).collect()),
            ..Constraints::default()
        };
        let mut field = values(&["c", "a", "x"]);
        field.combine(values(&["a", "b", "c"])).unwrap();
        assert_eq!(field, values(&["c", "a"]));
        assert_eq!(
            values(&["x"]).combine(values(&["a"])),
            Err(Conflict::Enumerations)
        );
    }

    #[test]
    fn rules_of_the_field_come_before_rules_of_the_type() {
        let rule = |text: &str| Rule {
            rule: text.to_owned(),
            ..Rule::default()
        };
        let mut field = Constraints {
            rules: vec![rule("z"), rule("a")],
            ..Constraints::default()
        };
        field
            .combine(Constraints {
                rules: vec![rule("y")],
                ..Constraints::default()
            })
            .unwrap();
        let order: Vec<_> = field.rules.iter().map(|rule| rule.rule.as_str()).collect();
        assert_eq!(order, ["z", "a", "y"]);
    }
}
