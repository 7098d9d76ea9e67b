//! Compares the schemas of one version, node by node.

use std::collections::BTreeSet;
use std::sync::Arc;

use kgen_diagnostics::{Code, near_words};
use kgen_model::{JsonType, Keyword, KindVersion, ListType, MapType, Rule, Schema};
use kgen_sample::Step;
use kgen_schema::Problem;
use serde_json::Value;

use super::same::{self, same_value};
use super::texts::judged;
use super::{Change, Goal, Places, bounds, decide, shape, texts};
use crate::finding::Level;
use crate::path::shown;

/// The deepest level that is compared.
const DEEPEST: usize = 64;

/// Returns the changes in the schemas of one version.
pub(super) fn compare(old: &KindVersion, new: &KindVersion) -> Vec<Change> {
    let places = Places {
        old: Some(old.span),
        new: Some(new.span),
        around: Vec::new(),
    };
    let mut walk = Walk {
        changes: Vec::new(),
        path: Vec::new(),
    };
    let presence = Presence {
        old_required: true,
        new_required: true,
        is_item: false,
    };
    walk.node(&old.schema, &new.schema, presence, &places);
    walk.changes
}

/// How a value is present in its parent.
#[derive(Clone, Copy)]
struct Presence {
    old_required: bool,
    new_required: bool,
    /// Whether it is an item of a list or a value of a map.
    is_item: bool,
}

struct Walk {
    changes: Vec<Change>,
    path: Vec<Step>,
}

/// The sort of values that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Any,
    IntOrString,
    Boolean,
    Integer,
    Number,
    String,
    List,
    Map,
    Struct,
}

impl Class {
    fn of(schema: &Schema) -> Self {
        if schema.int_or_string {
            return Self::IntOrString;
        }
        match schema.json_type {
            None => Self::Any,
            Some(JsonType::Boolean) => Self::Boolean,
            Some(JsonType::Integer) => Self::Integer,
            Some(JsonType::Number) => Self::Number,
            Some(JsonType::String) => Self::String,
            Some(JsonType::Array) => Self::List,
            Some(JsonType::Object)
                if schema.additional_properties.is_some() && schema.properties.is_empty() =>
            {
                Self::Map
            }
            Some(JsonType::Object) => Self::Struct,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::IntOrString => "an integer or a string",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Struct => "an object",
        }
    }
}

impl Walk {
    fn add(&mut self, code: Code, level: Level, message: String, places: &Places) -> &mut Change {
        self.changes
            .push(Change::new(code, level, &self.path, message, places));
        let last = self.changes.len() - 1;
        // The element was pushed in the line before.
        #[expect(clippy::indexing_slicing, reason = "the list has this element")]
        &mut self.changes[last]
    }

    fn put(&mut self, change: Change) {
        self.changes.push(change);
    }

    fn here(&self) -> String {
        format!("`{}`", shown(&self.path))
    }

    fn node(&mut self, old: &Schema, new: &Schema, presence: Presence, places: &Places) {
        if self.path.len() > DEEPEST {
            return;
        }
        let (before, after) = (Class::of(old), Class::of(new));
        // A change to any value says already that more is accepted.
        if after != Class::Any || before == Class::Any || old.nullable {
            self.nullable(old, new, presence, places);
        }
        if before != after {
            let is_widened = self.is_widened(old, new, before, after);
            self.type_change(before, after, is_widened, places);
            if !is_widened {
                return;
            }
            self.default(old, new, presence, places);
            let known = self.changes.len();
            self.values(old, new, places);
            if (before, after) == (Class::Integer, Class::Number) {
                self.shape(old, new, places);
            } else {
                // The wider type says already that more is accepted.
                let added = self.changes.split_off(known);
                let is_tighter = |change: &Change| !matches!(change.goal, Goal::None);
                self.changes.extend(added.into_iter().filter(is_tighter));
            }
            self.rules(old, new, places);
            return;
        }
        self.default(old, new, presence, places);
        let known = self.changes.len();
        self.values(old, new, places);
        self.embedded(old, new, places);
        self.rules(old, new, places);
        self.shape(old, new, places);
        self.drop_equal(old, new, known);
        match after {
            Class::List => self.list(old, new, places),
            Class::Map | Class::Struct | Class::Any => self.object(old, new, places),
            _ => {}
        }
    }

    /// Removes changes of keywords of a scalar from an index on, if other keywords say the same.
    fn drop_equal(&mut self, old: &Schema, new: &Schema, known: usize) {
        let is_tightened = |code| {
            matches!(
                code,
                Code::BoundTightened | Code::EnumNarrowed | Code::FormatTightened | Code::PatternTightened
            )
        };
        let is_loosened = |code| {
            matches!(
                code,
                Code::BoundLoosened | Code::EnumWidened | Code::FormatLoosened | Code::PatternLoosened
            )
        };
        let added = self.changes.get(known..).unwrap_or_default();
        let has = |is_wanted: &dyn Fn(Code) -> bool| added.iter().any(|change| is_wanted(change.code));
        let has_shape = has(&|code| code == Code::ShapeChanged);
        let keeps_all = (has(&is_tightened) || has_shape) && decide::is_within(old, new);
        let adds_none = (has(&is_loosened) || has_shape) && decide::is_within(new, old);
        let is_needless = |code| {
            keeps_all && is_tightened(code)
                || adds_none && is_loosened(code)
                || keeps_all && adds_none && code == Code::ShapeChanged
        };
        let mut index = 0;
        self.changes.retain(|change| {
            index += 1;
            index <= known || !is_needless(change.code)
        });
    }

    fn shape(&mut self, old: &Schema, new: &Schema, places: &Places) {
        if shape::is_changed(old, new) {
            let message = format!(
                "the `oneOf`, `anyOf`, `allOf` or `not` of {} changed",
                self.here()
            );
            let change = Change::new(Code::ShapeChanged, Level::Breaking, &self.path, message, places);
            self.put(change.goal(Goal::Refused(is_combination)));
        }
    }

    /// Compares whether a value is a whole object of Kubernetes, which needs a type and keeps its metadata.
    fn embedded(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let (is_tighter, message) = match (old.embedded_resource, new.embedded_resource) {
            (false, true) => (
                true,
                format!("{} must have `apiVersion` and `kind` now", self.here()),
            ),
            (true, false) => (
                !new.preserve_unknown_fields,
                format!("{} is no longer a whole object of Kubernetes", self.here()),
            ),
            _ => return,
        };
        let change = if is_tighter {
            Change::new(Code::TypeChanged, Level::Breaking, &self.path, message, places)
                .goal(Goal::RefusedOrPruned)
                .help("add a new field, and keep this one until the next version")
        } else {
            Change::new(Code::TypeWidened, Level::Risky, &self.path, message, places)
        };
        self.put(change);
    }

    fn type_change(&mut self, before: Class, after: Class, is_widened: bool, places: &Places) {
        let message = format!("{} is {} now", self.here(), after.words());
        let label = format!("was {}", before.words());
        let change = if is_widened {
            Change::new(Code::TypeWidened, Level::Risky, &self.path, message, places)
        } else {
            Change::new(Code::TypeChanged, Level::Breaking, &self.path, message, places)
                .goal(Goal::RefusedOrPruned)
                .help("add a new field, and keep this one until the next version")
        };
        self.put(change.label(label));
    }

    /// Returns whether every value of the old type is one of the new type.
    fn is_widened(&self, old: &Schema, new: &Schema, before: Class, after: Class) -> bool {
        if new.embedded_resource {
            return false;
        }
        match (before, after) {
            (Class::Integer, Class::Number) => true,
            (Class::Integer | Class::String, Class::IntOrString) => true,
            (_, Class::Any) => new.any_of.is_empty() && new.one_of.is_empty() && new.not.is_none(),
            (Class::Struct, Class::Map) => {
                let Some(values) = &new.additional_properties else {
                    return false;
                };
                let is_kept = |property: &Arc<Schema>| {
                    let mut walk = Walk {
                        changes: Vec::new(),
                        path: self.path.clone(),
                    };
                    let presence = Presence {
                        old_required: true,
                        new_required: true,
                        is_item: true,
                    };
                    walk.node(property, values, presence, &Places::default());
                    walk.changes.iter().all(|change| change.level < Level::Breaking)
                };
                !old.preserve_unknown_fields && old.properties.values().all(is_kept)
            }
            (Class::Map, Class::Struct) => {
                new.preserve_unknown_fields && new.properties.is_empty() && new.required.is_empty()
            }
            _ => false,
        }
    }

    fn nullable(&mut self, old: &Schema, new: &Schema, presence: Presence, places: &Places) {
        // The server drops null from fields and maps before it compares types. A list keeps it.
        let is_in_list = self.path.last() == Some(&Step::Item);
        let accepts = |schema: &Schema| {
            schema.nullable || is_in_list && schema.json_type.is_none() && !schema.int_or_string
        };
        match (accepts(old), accepts(new)) {
            (true, false) if old.nullable => {
                let message = format!("{} no longer accepts null", self.here());
                let is_needed = presence.new_required && presence.old_required && !presence.is_item;
                let is_refused = is_needed || is_in_list;
                let level = if is_refused { Level::Breaking } else { Level::Risky };
                let goal = if is_refused { Goal::Null } else { Goal::NullRefused };
                let change = Change::new(Code::NullableRemoved, level, &self.path, message, places);
                self.put(change.goal(goal));
            }
            (false, true) if new.nullable => {
                let message = format!("{} accepts null now", self.here());
                self.add(Code::NullableAdded, Level::Risky, message, places);
            }
            _ => {}
        }
    }

    fn default(&mut self, old: &Schema, new: &Schema, presence: Presence, places: &Places) {
        let stated = |schema: &'_ Schema| schema.default.clone().filter(|default| !default.is_null());
        let (before, after) = (stated(old), stated(new));
        match (&before, &after) {
            (Some(before), Some(after)) if !is_same_default(old, new, before, after) => {
                let message = format!("the default of {} is {after} now", self.here());
                let change = Change::new(Code::DefaultChanged, Level::Breaking, &self.path, message, places)
                    .goal(Goal::Default)
                    .label(format!("was {before}"))
                    .help("keep the default, and change it in a new version");
                self.put(change);
            }
            (None, Some(after)) => {
                let level = if presence.old_required {
                    Level::Compatible
                } else {
                    Level::Risky
                };
                let message = format!("{} has the default {after} now", self.here());
                let change = Change::new(Code::DefaultAdded, level, &self.path, message, places);
                self.put(change.goal(Goal::AbsentRefused));
            }
            (Some(before), None) => {
                let (level, goal) = if presence.new_required && !presence.is_item {
                    (Level::Breaking, Goal::Absent)
                } else {
                    (Level::Risky, Goal::AbsentRefused)
                };
                let message = format!("{} no longer has a default", self.here());
                let change = Change::new(Code::DefaultRemoved, level, &self.path, message, places);
                self.put(change.goal(goal).label(format!("was {before}")));
            }
            _ => {}
        }
    }

    /// Compares the keywords that narrow a value.
    fn values(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let (before, after) = (effective_values(old), effective_values(new));
        match (&before, &after) {
            (Some(before), Some(after)) => {
                // Whether null is accepted is compared on its own.
                let counts = |value: &&Value| !value.is_null() || old.nullable == new.nullable;
                let lacks = |list: &[Value], other: &[Value]| -> Vec<Value> {
                    let missing = list
                        .iter()
                        .filter(counts)
                        .filter(|value| !other.iter().any(|other| same_value(Some(other), Some(value))));
                    missing.cloned().collect()
                };
                let (gone, new_ones) = (lacks(before, after), lacks(after, before));
                // A value can be listed and still be refused by another keyword.
                let listed = texts::values(new).unwrap_or_default();
                let is_listed =
                    |value: &Value| listed.iter().any(|other| same_value(Some(other), Some(value)));
                let (refused, gone): (Vec<_>, Vec<_>) = gone.into_iter().partition(is_listed);
                if !gone.is_empty() {
                    self.narrowed(
                        format!("{} no longer accepts {}", self.here(), quoted(&gone)),
                        places,
                    );
                }
                self.listed_values(&refused, new, places);
                if !new_ones.is_empty() {
                    let message = format!("{} also accepts {}", self.here(), quoted(&new_ones));
                    self.widened(message, old, places);
                }
                return;
            }
            (None, Some(_)) => {
                self.narrowed(format!("{} accepts only some values now", self.here()), places);
                return;
            }
            (Some(before), None) => {
                self.listed_values(before, new, places);
                self.widened(
                    format!("{} also accepts values that were not listed", self.here()),
                    old,
                    places,
                );
                return;
            }
            (None, None) => {}
        }
        self.bounds(old, new, places);
        let may_be_text = |schema| bounds::can_be(schema, JsonType::String);
        if may_be_text(old) && may_be_text(new) {
            self.patterns(old, new, places);
            let direction = texts::formats(old, new);
            if direction.tightened {
                let message = format!(
                    "{} must have the format `{}` now",
                    self.here(),
                    new.format().unwrap_or("…")
                );
                let change = Change::new(
                    Code::FormatTightened,
                    Level::Breaking,
                    &self.path,
                    message,
                    places,
                );
                self.put(change.goal(Goal::Refused(is_format)));
            }
            if direction.loosened {
                let message = format!("{} may have another format now", self.here());
                self.add(Code::FormatLoosened, Level::Compatible, message, places);
            }
        }
    }

    /// Reports listed values that the other keywords of a schema refuse, once per kind of keyword.
    fn listed_values(&mut self, listed: &[Value], new: &Schema, places: &Places) {
        let Some(new) = (!listed.is_empty()).then(|| judged(new)).flatten() else {
            return;
        };
        let patterns = kgen_schema::Patterns::default();
        let is_pattern = |problem: &Problem| matches!(problem, Problem::Pattern { .. });
        type IsReason = fn(&Problem) -> bool;
        let reasons: [IsReason; 3] = [is_pattern, is_bound, is_format];
        let codes = [
            Code::PatternTightened,
            Code::BoundTightened,
            Code::FormatTightened,
        ];
        for (code, is_reason) in codes.into_iter().zip(reasons) {
            let is_refused = |value: &&Value| {
                let found = kgen_schema::violations(&new, value, &patterns);
                found.iter().any(|violation| is_reason(&violation.problem))
            };
            let gone: Vec<Value> = listed.iter().filter(is_refused).cloned().collect();
            if !gone.is_empty() {
                let message = format!("{} no longer accepts {}", self.here(), quoted(&gone));
                let change = Change::new(code, Level::Breaking, &self.path, message, places);
                self.put(change.goal(Goal::Refused(is_reason)));
            }
        }
    }

    fn narrowed(&mut self, message: String, places: &Places) {
        let change = Change::new(Code::EnumNarrowed, Level::Breaking, &self.path, message, places);
        let is_enum = |problem: &Problem| matches!(problem, Problem::Enum { .. });
        self.put(change.goal(Goal::Refused(is_enum)));
    }

    fn widened(&mut self, message: String, old: &Schema, places: &Places) {
        // A Rust client reads any value with such a variant.
        let reads_others = old.places.stated(Keyword::OtherVariant).is_some();
        let level = if reads_others {
            Level::Compatible
        } else {
            Level::Risky
        };
        self.add(Code::EnumWidened, level, message, places);
    }

    fn bounds(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let direction = bounds::compare(old, new);
        if direction.tightened {
            let message = format!("{} has a tighter bound now", self.here());
            let change = Change::new(Code::BoundTightened, Level::Breaking, &self.path, message, places);
            self.put(change.goal(Goal::Refused(is_bound)));
        }
        if direction.loosened {
            let message = format!("{} has a looser bound now", self.here());
            self.add(Code::BoundLoosened, Level::Compatible, message, places);
        }
    }

    fn patterns(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let is_pattern = |problem: &Problem| matches!(problem, Problem::Pattern { .. });
        let Some(direction) = texts::patterns(old, new) else {
            let message = format!("{} has a new pattern that is too complex to compare", self.here());
            let change = Change::new(
                Code::PatternTightened,
                Level::Breaking,
                &self.path,
                message,
                places,
            );
            self.put(change.goal(Goal::Refused(is_pattern)));
            return;
        };
        if direction.tightened {
            let message = format!("the pattern of {} matches less now", self.here());
            let mut change = Change::new(
                Code::PatternTightened,
                Level::Breaking,
                &self.path,
                message,
                places,
            );
            if let Some(before) = &old.constraints.pattern {
                change = change.label(format!("was `{before}`"));
            }
            self.put(change.goal(Goal::Refused(is_pattern)));
        }
        if direction.loosened {
            let message = format!("the pattern of {} matches more now", self.here());
            self.add(Code::PatternLoosened, Level::Compatible, message, places);
        }
    }

    fn rules(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let identity = |rule: &Rule| (same::spelled(&rule.rule), rule.optional_old_self == Some(true));
        let lacks = |list: &[Rule], other: &[Rule]| -> Vec<Rule> {
            let other: BTreeSet<_> = other.iter().map(identity).collect();
            list.iter()
                .filter(|rule| !other.contains(&identity(rule)))
                .cloned()
                .collect()
        };
        let (before, after) = (&old.constraints.rules, &new.constraints.rules);
        let (gone, new_ones) = (lacks(before, after), lacks(after, before));
        if let Some(first) = new_ones.first() {
            let place = first.span.or(first.expression_span).or(places.new);
            let places = Places {
                new: place,
                around: places
                    .new
                    .into_iter()
                    .chain(places.around.iter().copied())
                    .collect(),
                ..places.clone()
            };
            let texts: Vec<String> = new_ones.iter().map(|rule| format!("`{}`", rule.rule)).collect();
            let message = format!("{} has the new rule {}", self.here(), texts.join(" and "));
            let change = Change::new(Code::RuleAdded, Level::Breaking, &self.path, message, &places);
            self.put(change.goal(Goal::Rules(new_ones)));
        }
        if let Some(first) = gone.first() {
            let message = format!("{} no longer has the rule `{}`", self.here(), first.rule);
            let places = Places {
                old: first.span.or(first.expression_span).or(places.old),
                ..places.clone()
            };
            self.add(Code::RuleRemoved, Level::Compatible, message, &places);
        }
    }

    fn list(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let kind = |schema: &Schema| schema.list_type.unwrap_or(ListType::Atomic);
        let keys = |schema: &Schema| -> BTreeSet<String> { schema.list_map_keys.iter().cloned().collect() };
        let (before, after) = (kind(old), kind(new));
        let has_other_keys = after == ListType::Map && keys(old) != keys(new);
        if before != after || has_other_keys {
            let message = if before == after {
                format!("the items of {} have other keys now", self.here())
            } else {
                format!("{} has the list type `{}` now", self.here(), after.word())
            };
            let change = Change::new(
                Code::ListTypeChanged,
                Level::Breaking,
                &self.path,
                message,
                places,
            )
            .label(format!("was `{}`", before.word()));
            self.put(if after == ListType::Atomic {
                Change {
                    level: Level::Risky,
                    ..change
                }
            } else {
                change.goal(Goal::Duplicates)
            });
        }
        if let (Some(old), Some(new)) = (&old.items, &new.items) {
            self.part(Step::Item, old, new, places);
        }
    }

    /// Compares items or values of maps.
    fn part(&mut self, step: Step, old: &Schema, new: &Schema, places: &Places) {
        let presence = Presence {
            old_required: true,
            new_required: true,
            is_item: true,
        };
        let places = Places {
            around: new
                .places
                .declared
                .into_iter()
                .chain(places.around.iter().copied())
                .collect(),
            ..places.clone()
        };
        self.path.push(step);
        self.node(old, new, presence, &places);
        self.path.pop();
    }

    fn object(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let is_atomic = |schema: &Schema| schema.map_type == Some(MapType::Atomic);
        if is_atomic(old) != is_atomic(new) {
            let message = format!("{} merges in another way now", self.here());
            self.add(Code::ListTypeChanged, Level::Risky, message, places);
        }
        let is_typed = Class::of(new) != Class::Any || Class::of(old) != Class::Any;
        let keeps =
            |schema: &Schema| schema.preserve_unknown_fields || schema.additional_properties.is_some();
        match (old.preserve_unknown_fields, new.preserve_unknown_fields) {
            (true, false) if is_typed && new.additional_properties.is_none() => {
                let message = format!("{} no longer keeps unknown fields", self.here());
                let change = Change::new(Code::PruningAdded, Level::Breaking, &self.path, message, places);
                self.put(change.goal(Goal::Unknown));
            }
            (false, true) if is_typed => {
                let message = format!("{} keeps unknown fields now", self.here());
                self.add(Code::PruningRemoved, Level::Compatible, message, places);
            }
            _ => {}
        }
        if let (Some(old), Some(new)) = (&old.additional_properties, &new.additional_properties) {
            self.part(Step::Entry, old, new, places);
        }
        let fields = Fields {
            old,
            new,
            old_keeps: keeps(old),
            new_keeps: keeps(new),
            old_tag: shape::tag(old),
            new_tag: shape::tag(new),
        };
        let names: BTreeSet<&String> = old.properties.keys().chain(new.properties.keys()).collect();
        for name in names {
            if self.path.is_empty() && ["apiVersion", "kind"].contains(&name.as_str()) {
                continue;
            }
            self.path.push(Step::Field(name.clone()));
            self.field(name, &fields, places);
            self.path.pop();
        }
        // A field that no schema declares can be required, too.
        let undeclared = new.required.iter().filter(|name| {
            !old.required.contains(*name)
                && !old.properties.contains_key(*name)
                && !new.properties.contains_key(*name)
        });
        for name in undeclared {
            self.path.push(Step::Field(name.clone()));
            self.required_added(places, "was optional");
            self.path.pop();
        }
        if let (Some((_, before)), Some((_, after))) = (&fields.old_tag, &fields.new_tag) {
            let added: Vec<String> = after
                .iter()
                .filter(|value| !before.contains(value))
                .map(|value| format!("`{}`", plain(value)))
                .collect();
            if !added.is_empty() && fields.tags_match() {
                let message = format!("{} has the new variant {}", self.here(), added.join(", "));
                self.add(Code::VariantAdded, Level::Risky, message, places);
            }
        }
    }

    fn field(&mut self, name: &str, fields: &Fields<'_>, parent: &Places) {
        let Fields { old, new, .. } = *fields;
        let (before, after) = (old.properties.get(name), new.properties.get(name));
        let around = |schema: Option<&Arc<Schema>>| {
            let declared = schema.and_then(|schema| schema.places.declared);
            let of_parent = new.places.declared;
            declared
                .into_iter()
                .chain(of_parent)
                .chain(parent.around.iter().copied())
                .collect()
        };
        let places = Places {
            old: before.and_then(|schema| schema.places.node).or(parent.old),
            new: after.and_then(|schema| schema.places.node).or(parent.new),
            around: around(after),
        };
        let presence = fields.presence(name);
        match (before, after) {
            (Some(before), Some(after)) => {
                self.presence(after, presence, &places);
                if fields.tags_match() && fields.new_tag.as_ref().is_some_and(|(tag, _)| *tag == name) {
                    self.tag(before, after, &places);
                } else {
                    self.node(before, after, presence, &places);
                }
            }
            (None, Some(after)) => self.added(name, after, fields, presence, &places),
            (Some(before), None) => self.removed(name, before, fields, presence, &places, parent),
            (None, None) => {}
        }
    }

    /// Compares the values of a tag: those that are gone. New ones are new variants.
    fn tag(&mut self, old: &Schema, new: &Schema, places: &Places) {
        let (before, after) = (effective_values(old), effective_values(new));
        if let (Some(before), Some(after)) = (before, after) {
            let gone = before.iter().filter(|value| !after.contains(value));
            let gone: Vec<String> = gone.map(|value| format!("`{}`", plain(value))).collect();
            if !gone.is_empty() {
                self.narrowed(
                    format!("{} no longer accepts {}", self.here(), gone.join(", ")),
                    places,
                );
            }
        }
    }

    fn presence(&mut self, new: &Schema, presence: Presence, places: &Places) {
        let has_default = new.default.as_ref().is_some_and(|default| !default.is_null());
        if !presence.old_required && presence.new_required && !has_default {
            self.required_added(places, "was optional");
        }
        if presence.old_required && !presence.new_required && !has_default {
            let message = format!("{} may be left out now", self.here());
            let change = Change::new(Code::RequiredRemoved, Level::Risky, &self.path, message, places);
            self.put(change.label("was required"));
        }
    }

    fn required_added(&mut self, places: &Places, label: &str) {
        let message = format!("{} is now required", self.here());
        let change = Change::new(Code::RequiredAdded, Level::Breaking, &self.path, message, places)
            .goal(Goal::Absent)
            .label(label)
            .help("add a default, `// +kubebuilder:default=…`, or keep the field optional until the next version");
        self.put(change);
    }

    fn added(
        &mut self,
        name: &str,
        after: &Arc<Schema>,
        fields: &Fields<'_>,
        presence: Presence,
        places: &Places,
    ) {
        let old_places = Places {
            old: None,
            ..places.clone()
        };
        if fields.old_keeps {
            // The field existed already: as one of the values of a map, or as an unknown field.
            let before = fields.old.additional_properties.clone();
            let before = before.unwrap_or_else(|| Arc::new(Schema::anything()));
            self.presence(after, presence, places);
            self.node(&before, after, presence, places);
            let message = format!("{} is declared now", self.here());
            self.add(Code::FieldAdded, Level::Compatible, message, &old_places);
            return;
        }
        let has_default = after.default.as_ref().is_some_and(|default| !default.is_null());
        if presence.new_required && !has_default {
            self.required_added(&old_places, "is new");
            return;
        }
        let is_variant = shape::variants(fields.old).is_some()
            && shape::variants(fields.new).is_some_and(|variants| variants.contains(name));
        if is_variant {
            let message = format!("{} is a new variant", self.here());
            self.add(Code::VariantAdded, Level::Risky, message, &old_places);
            return;
        }
        // The fields of a new variant come with it.
        if fields.tags_match() && fields.has_new_values() {
            return;
        }
        let message = format!("{} is new", self.here());
        let change = Change::new(
            Code::FieldAdded,
            Level::Compatible,
            &self.path,
            message,
            &old_places,
        );
        // The default can be one field too many.
        let counts = shape::counts_fields(fields.new);
        self.put(if has_default && counts {
            change.goal(Goal::AbsentRefused)
        } else {
            change
        });
    }

    fn removed(
        &mut self,
        name: &str,
        before: &Arc<Schema>,
        fields: &Fields<'_>,
        presence: Presence,
        places: &Places,
        parent: &Places,
    ) {
        if let Some(values) = &fields.new.additional_properties {
            let places = Places {
                new: parent.new,
                ..places.clone()
            };
            self.node(before, values, presence, &places);
            return;
        }
        if fields.new_keeps {
            let message = format!("{} is no longer declared, and any value is kept", self.here());
            let places = Places {
                new: parent.new,
                ..places.clone()
            };
            self.add(Code::TypeWidened, Level::Risky, message, &places);
            return;
        }
        let message = format!("{} is gone", self.here());
        let struct_place = fields.new.places.declared;
        let sibling = fields
            .new
            .properties
            .values()
            .find_map(|property| property.places.node);
        let places = Places {
            old: places.old,
            new: struct_place.or(sibling).or(parent.new),
            around: struct_place
                .into_iter()
                .chain(sibling)
                .chain(parent.new)
                .chain(parent.around.iter().copied())
                .collect(),
        };
        let mut change = Change::new(Code::FieldRemoved, Level::Breaking, &self.path, message, &places)
            .goal(Goal::Present)
            .removed();
        let is_new = |other: &&String| !fields.old.properties.contains_key(*other);
        let candidates = fields.new.properties.keys().filter(is_new).map(String::as_str);
        if let Some(near) = look_alike(name, before, candidates, fields.new) {
            change = change.help(format!(
                "`{near}` is new and looks like its new name: keep `{name}` beside it until the next version"
            ));
        } else {
            change = change
                .help("keep the field until the next version; stored values are dropped on the next write");
        }
        self.put(change);
    }
}

/// Two objects and what is known about both.
struct Fields<'a> {
    old: &'a Schema,
    new: &'a Schema,
    old_keeps: bool,
    new_keeps: bool,
    old_tag: Option<(&'a str, Vec<Value>)>,
    new_tag: Option<(&'a str, Vec<Value>)>,
}

impl Fields<'_> {
    /// Returns where a field is required. A requirement that all common variants have is not a change, even if only one
    /// state needs a branch for each of them.
    fn presence(&self, name: &str) -> Presence {
        let plain = Presence {
            old_required: self.old.required.contains(name),
            new_required: self.new.required.contains(name),
            is_item: false,
        };
        let (Some((tag, before)), Some((_, after))) = (&self.old_tag, &self.new_tag) else {
            return plain;
        };
        let kept: Vec<&Value> = before.iter().filter(|value| after.contains(value)).collect();
        if !self.tags_match() || kept.is_empty() || plain.old_required == plain.new_required {
            return plain;
        }
        let all_need = |schema| {
            let mut kept = kept.iter();
            kept.all(|value| shape::required_with(schema, tag, value).contains(name))
        };
        match (plain.old_required, all_need(self.old), all_need(self.new)) {
            (false, true, _) => Presence {
                old_required: true,
                ..plain
            },
            (true, _, true) => Presence {
                new_required: true,
                ..plain
            },
            _ => plain,
        }
    }

    fn tags_match(&self) -> bool {
        match (&self.old_tag, &self.new_tag) {
            (Some((old, _)), Some((new, _))) => old == new,
            _ => false,
        }
    }

    fn has_new_values(&self) -> bool {
        match (&self.old_tag, &self.new_tag) {
            (Some((_, old)), Some((_, new))) => new.iter().any(|value| !old.contains(value)),
            _ => false,
        }
    }
}

/// Returns the new field that a removed one may have become: one with a similar name, or the only one of the same type.
fn look_alike<'a>(
    name: &str,
    before: &Schema,
    candidates: impl Iterator<Item = &'a str>,
    new: &Schema,
) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.collect();
    if let Some(near) = near_words(name, candidates.iter().copied()).first() {
        return candidates
            .iter()
            .copied()
            .find(|candidate| *candidate == near.word);
    }
    let class = Class::of(before);
    let mut alike = candidates.iter().copied().filter(|candidate| {
        new.properties
            .get(*candidate)
            .is_some_and(|schema| Class::of(schema) == class)
    });
    match (alike.next(), alike.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Returns the listed values that the other keywords of the schema accept.
fn effective_values(schema: &Schema) -> Option<Vec<Value>> {
    let mut values = texts::values(schema)?;
    if let Some(judged) = judged(schema) {
        let patterns = kgen_schema::Patterns::default();
        // The API server finds no null among listed values, so one that is allowed is only kept to compare it.
        values.retain(|value| {
            value.is_null() && schema.nullable
                || kgen_schema::violations(&judged, value, &patterns).is_empty()
        });
    }
    Some(values)
}

/// Returns whether two defaults of a value are equal, with the defaults of its parts.
fn is_same_default(old: &Schema, new: &Schema, before: &Value, after: &Value) -> bool {
    let completed = |schema: &Schema, default: &Value| {
        let mut default = default.clone();
        if let Some(judge) = judged(schema).filter(|_| default.is_object() || default.is_array()) {
            judge.fill_in_defaults(&mut default);
        }
        default
    };
    same_value(Some(before), Some(after))
        || same_value(Some(&completed(old, before)), Some(&completed(new, after)))
}

/// Returns values as a list for people.
fn quoted(values: &[Value]) -> String {
    let words: Vec<String> = values.iter().map(|value| format!("`{}`", plain(value))).collect();
    words.join(", ")
}

/// Returns a value as people write it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn is_bound(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::Minimum { .. }
            | Problem::Maximum { .. }
            | Problem::MultipleOf { .. }
            | Problem::Range { .. }
            | Problem::MinLength { .. }
            | Problem::MaxLength { .. }
            | Problem::MinItems { .. }
            | Problem::MaxItems { .. }
            | Problem::MinProperties { .. }
            | Problem::MaxProperties { .. }
    )
}

fn is_format(problem: &Problem) -> bool {
    matches!(problem, Problem::Format { .. } | Problem::Type { .. })
}

fn is_combination(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::OneOf { .. } | Problem::AnyOf | Problem::AllOf { .. } | Problem::Not
    )
}
