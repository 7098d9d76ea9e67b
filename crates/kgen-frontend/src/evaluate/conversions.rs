//! Converts values to types: annotations, `into`, `collect` and `Default::default()`.

use kgen_diagnostics::Span;

use super::types::{Type, TypeScope, plain_default};
use super::value::{Instance, Pending, Value};
use super::{Evaluator, Found, Read, Unknown, arithmetic, names, types};
use crate::declare::{Fields, TypeKind};
use crate::program::TypeId;

impl Evaluator<'_> {
    /// Returns the value as a value of a type. A type that is not known leaves it as it is.
    pub(super) fn coerced(&mut self, value: Value, wanted: &Type, span: Span) -> Read<Value> {
        let value = match value {
            Value::Pending(pending) => return self.settled(*pending, wanted, span),
            Value::Absent(unknown) => return Err(*unknown),
            other => other,
        };
        Ok(match (wanted, value) {
            (Type::Integer(integer), Value::Integer(number)) => {
                if !integer.holds(number) {
                    return Err(Unknown::new(span, format!("{number} does not fit in its type")));
                }
                Value::Integer(number)
            }
            (Type::Float { is_single: true }, Value::Float(number)) => Value::Float(number.to_single()),
            (Type::Float { is_single: false }, Value::Float(number)) => Value::Float(number.to_double()),
            (Type::Option(inner), Value::Option(Some(value))) => {
                Value::some(self.coerced(*value, inner, span)?)
            }
            (Type::Result(inner), Value::Result(Ok(value))) => Value::ok(self.coerced(*value, inner, span)?),
            (Type::Json, Value::Option(Some(value))) => Value::some(self.coerced(*value, wanted, span)?),
            (Type::List(inner), Value::List(list)) => Value::List(self.all_coerced(list, inner, span)?),
            (Type::Json, Value::List(list)) => Value::List(self.all_coerced(list, wanted, span)?),
            (Type::Json, Value::Tuple(list)) => Value::Tuple(self.all_coerced(list, wanted, span)?),
            (Type::Set(inner, is_sorted), Value::List(list)) => {
                let list = self.all_coerced(list, inner, span)?;
                set_of(list, *is_sorted)
                    .ok_or_else(|| Unknown::new(span, "the order of this set is not known"))?
            }
            (Type::Tuple(parts), Value::Tuple(list)) if parts.len() == list.len() => {
                let mut coerced = Vec::with_capacity(list.len());
                for (value, part) in list.into_iter().zip(parts) {
                    coerced.push(self.coerced(value, part, span)?);
                }
                Value::Tuple(coerced)
            }
            (Type::Map(inner), Value::Map(entries)) => {
                Value::Map(self.entries_coerced(entries, inner, span)?)
            }
            (Type::Json, Value::Map(entries)) => Value::Map(self.entries_coerced(entries, wanted, span)?),
            (_, value) => value,
        })
    }

    fn all_coerced(&mut self, list: Vec<Value>, wanted: &Type, span: Span) -> Read<Vec<Value>> {
        list.into_iter()
            .map(|value| self.coerced(value, wanted, span))
            .collect()
    }

    fn entries_coerced(
        &mut self,
        entries: Vec<(String, Value)>,
        wanted: &Type,
        span: Span,
    ) -> Read<Vec<(String, Value)>> {
        entries
            .into_iter()
            .map(|(key, value)| Ok((key, self.coerced(value, wanted, span)?)))
            .collect()
    }

    fn settled(&mut self, pending: Pending, wanted: &Type, span: Span) -> Read<Value> {
        match (pending, wanted) {
            (pending, Type::Unknown) => Ok(Value::pending(pending)),
            (Pending::Default, Type::Json) => Ok(Value::Map(Vec::new())),
            (Pending::Default, wanted) => self.default_of(wanted, span),
            (Pending::Into(value), wanted) => self.converted(value, wanted, span),
            (Pending::Collect(list), wanted) => self.collected(list, wanted, span),
        }
    }

    /// Evaluates `T::from(value)`.
    pub(super) fn converted(&mut self, value: Value, wanted: &Type, span: Span) -> Read<Value> {
        let value = match value {
            Value::Pending(_) | Value::Absent(_) => self.coerced(value, wanted, span)?,
            other => other,
        };
        let unknown = || Unknown::new(span, "kgen does not know this conversion");
        if let Type::Declared(id, _) = wanted {
            if matches!(&value, Value::Instance(instance) if instance.id == *id) {
                return Ok(value);
            }
            let found = names::associated(self.program(), *id, "from");
            return self.overloaded(&found, vec![value], span);
        }
        if let Value::Instance(instance) = &value {
            if matches!(wanted, Type::Json | Type::Unknown) {
                return Ok(value);
            }
            let target = rust_name(wanted).ok_or_else(unknown)?;
            let found = names::conversions_from(self.program(), instance.id, target);
            return self.overloaded(&found, vec![value], span);
        }
        match (wanted, value) {
            (Type::Text, Value::Character(character)) => Ok(Value::text_of(character)),
            (Type::Text, value @ Value::Text(_)) => Ok(value),
            (Type::Integer(_), Value::Boolean(flag)) => Ok(Value::Integer(i128::from(flag))),
            (Type::Integer(_), Value::Character(character)) => {
                Ok(Value::Integer(i128::from(u32::from(character))))
            }
            (Type::Integer(_), value @ Value::Integer(_)) => self.coerced(value, wanted, span),
            (Type::Float { .. }, value @ (Value::Integer(_) | Value::Float(_))) => {
                arithmetic::cast(&value, wanted).ok_or_else(unknown)
            }
            (Type::Boolean, value @ Value::Boolean(_)) | (Type::Character, value @ Value::Character(_)) => {
                Ok(value)
            }
            (Type::Option(_), value @ Value::Option(_)) => self.coerced(value, wanted, span),
            (Type::Option(inner), value) => Ok(Value::some(self.coerced(value, inner, span)?)),
            (Type::List(_) | Type::Set(..) | Type::Map(_), Value::List(list)) => {
                self.collected(list, wanted, span)
            }
            (Type::Map(_), value @ Value::Map(_)) | (Type::Tuple(_), value @ Value::Tuple(_)) => {
                self.coerced(value, wanted, span)
            }
            (Type::Json | Type::Unknown, value) => self.coerced(value, wanted, span),
            // These types of Kubernetes and schemars are their content in JSON.
            (Type::External(path), value) => match path.last().map(String::as_str) {
                Some("IntOrString" | "Quantity" | "SingleOrVec" | "Rule" | "Message") => Ok(value),
                Some("Number") if matches!(value, Value::Integer(_) | Value::Float(_)) => Ok(value),
                _ => Err(unknown()),
            },
            _ => Err(unknown()),
        }
    }

    /// Evaluates `list.collect::<T>()`.
    pub(super) fn collected(&mut self, list: Vec<Value>, wanted: &Type, span: Span) -> Read<Value> {
        let pairs = |list: &[Value]| -> Option<Vec<(String, Value)>> {
            let mut entries = Vec::with_capacity(list.len());
            for pair in list {
                let Value::Tuple(pair) = pair else { return None };
                let [key, value] = pair.as_slice() else {
                    return None;
                };
                super::value::set_entry(&mut entries, &key.key()?, value.clone());
            }
            Some(entries)
        };
        let unknown = || Unknown::new(span, "kgen does not know this collection");
        match wanted {
            Type::List(_) | Type::Set(..) => self.coerced(Value::List(list), wanted, span),
            Type::Map(_) => {
                let entries = pairs(&list).ok_or_else(unknown)?;
                self.coerced(Value::Map(entries), wanted, span)
            }
            // A JSON value made of pairs is an object.
            Type::Json => match pairs(&list).filter(|entries| !entries.is_empty()) {
                Some(entries) => self.coerced(Value::Map(entries), wanted, span),
                None => self.coerced(Value::List(list), wanted, span),
            },
            Type::Text => {
                let parts = list.iter().map(Value::key);
                Ok(Value::Text(
                    parts.collect::<Option<String>>().ok_or_else(unknown)?,
                ))
            }
            Type::Unknown => Ok(Value::pending(Pending::Collect(list))),
            _ => Err(unknown()),
        }
    }

    /// Calls the one of several functions of a name that takes these arguments.
    pub(super) fn overloaded(&mut self, found: &[Found], arguments: Vec<Value>, span: Span) -> Read<Value> {
        if let [only] = found
            && !only.is_of_trait
        {
            return self.enter(only, None, arguments, span);
        }
        let mut values: Vec<Value> = Vec::new();
        for candidate in found {
            let types = self.parameter_types(candidate);
            let fits = types.len() == arguments.len()
                && types
                    .iter()
                    .zip(&arguments)
                    .all(|(wanted, value)| accepts(wanted, value));
            if fits {
                values.push(self.enter(candidate, None, arguments.clone(), span)?);
            }
        }
        let first = values.pop();
        match first {
            // `&str` and `String` are the same here, so both may fit; usually they do the same.
            Some(value) if values.iter().all(|other| same(other, &value)) => Ok(value),
            Some(_) => Err(Unknown::new(span, "several functions have this name")),
            None => Err(Unknown::new(
                span,
                "kgen cannot find this conversion in the source",
            )),
        }
    }

    /// Evaluates `Default::default()` of a type.
    pub(super) fn default_of(&mut self, wanted: &Type, span: Span) -> Read<Value> {
        match wanted {
            Type::Declared(id, arguments) => {
                self.budget.descend(span)?;
                let value = self.declared_default(*id, arguments, span);
                self.budget.ascend();
                value
            }
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.default_of(part, span));
                Ok(Value::Tuple(parts.collect::<Read<_>>()?))
            }
            other => plain_default(other)
                .ok_or_else(|| Unknown::new(span, "kgen does not know the default of this type")),
        }
    }

    /// Returns the default of a declared type: by its hand-written impl, or by its derive.
    fn declared_default(&mut self, id: TypeId, arguments: &[Type], span: Span) -> Read<Value> {
        let unknown = |reason: &str| Unknown::new(span, reason);
        if let Some(written) = names::written_default(self.program(), id) {
            return self.enter(&written, None, Vec::new(), span);
        }
        let body = self
            .program()
            .shared_body(id.module)
            .ok_or_else(|| unknown("kgen does not read this type"))?;
        let declared = body
            .types
            .get(id.index)
            .ok_or_else(|| unknown("kgen does not read this type"))?;
        if declared.attributes.derives("Default").is_none() {
            return Err(Unknown::new(
                span,
                format!("kgen cannot find the `Default` of `{}`", declared.name),
            ));
        }
        let scope = TypeScope::inside(self.program(), id, arguments);
        let (variant, fields) = match &declared.kind {
            TypeKind::Struct(fields) => (None, fields),
            TypeKind::Enum(variants) => {
                let variant = variants
                    .iter()
                    .find(|variant| variant.attributes.is_default)
                    .ok_or_else(|| unknown("no variant is the default"))?;
                (Some(variant.name.clone()), &variant.fields)
            }
            TypeKind::Alias(_) | TypeKind::Root(_) | TypeKind::Other(_) => {
                return Err(unknown("the type has no default"));
            }
        };
        let is_tuple = matches!(fields, Fields::Unnamed(_));
        let mut values = Vec::new();
        for (index, field) in fields.list().iter().enumerate() {
            let wanted = types::read(self.program(), &field.field_type, &scope);
            let name = if is_tuple {
                index.to_string()
            } else {
                field.name.clone()
            };
            values.push((name, self.default_of(&wanted, span)?));
        }
        Ok(Value::Instance(Box::new(Instance {
            id,
            variant,
            fields: values,
            span,
        })))
    }
}

/// Returns whether a function that wants this type takes a value.
fn accepts(wanted: &Type, value: &Value) -> bool {
    match (wanted, value) {
        (Type::Unknown | Type::Json, _) | (_, Value::Pending(_) | Value::Absent(_)) => true,
        (Type::Boolean, Value::Boolean(_))
        | (Type::Float { .. }, Value::Float(_))
        | (Type::Character, Value::Character(_))
        | (Type::Text, Value::Text(_))
        | (Type::Option(_), Value::Option(None))
        | (Type::Result(_), Value::Result(_))
        | (Type::Map(_), Value::Map(_)) => true,
        (Type::Integer(integer), Value::Integer(number)) => integer.holds(*number),
        (Type::Option(inner), Value::Option(Some(value))) => accepts(inner, value),
        (Type::List(inner) | Type::Set(inner, _), Value::List(list)) => {
            list.iter().all(|value| accepts(inner, value))
        }
        (Type::Tuple(parts), Value::Tuple(list)) => {
            parts.len() == list.len() && parts.iter().zip(list).all(|(part, value)| accepts(part, value))
        }
        (Type::Declared(id, _), Value::Instance(instance)) => *id == instance.id,
        (Type::External(path), Value::Foreign(foreign)) => path.last() == Some(&foreign.name),
        // Values of other crates are kept as their JSON.
        (Type::External(_), value) => !matches!(value, Value::Instance(_)),
        _ => false,
    }
}

/// Returns whether two values are equal, wherever they were made.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Instance(left), Value::Instance(right)) => {
            left.id == right.id
                && left.variant == right.variant
                && left.fields.len() == right.fields.len()
                && left
                    .fields
                    .iter()
                    .zip(&right.fields)
                    .all(|((left_name, left), (right_name, right))| {
                        left_name == right_name && same(left, right)
                    })
        }
        _ => left == right,
    }
}

/// Returns the name by which an `impl From<…> for T` names a type of the language or of another crate.
fn rust_name(wanted: &Type) -> Option<&str> {
    Some(match wanted {
        Type::Boolean => "bool",
        Type::Text => "String",
        Type::Character => "char",
        Type::Float { is_single: true } => "f32",
        Type::Float { is_single: false } => "f64",
        Type::Integer(integer) => match (integer.is_signed, integer.bits) {
            (true, 8) => "i8",
            (true, 16) => "i16",
            (true, 32) => "i32",
            (true, 64) => "i64",
            (false, 8) => "u8",
            (false, 16) => "u16",
            (false, 32) => "u32",
            (false, 64) => "u64",
            _ => return None,
        },
        Type::External(path) => path.last()?,
        _ => return None,
    })
}

/// Returns the elements of a set, each once. A sorted set of anything but scalars has an order that is not known.
fn set_of(list: Vec<Value>, is_sorted: bool) -> Option<Value> {
    let mut elements: Vec<Value> = Vec::with_capacity(list.len());
    for value in list {
        if !elements.contains(&value) {
            elements.push(value);
        }
    }
    if is_sorted && elements.len() > 1 {
        let texts: Option<Vec<String>> = elements
            .iter()
            .map(|value| value.text().map(str::to_owned))
            .collect();
        let numbers: Option<Vec<i128>> = elements
            .iter()
            .map(|value| match value {
                Value::Integer(number) => Some(*number),
                _ => None,
            })
            .collect();
        elements = if let Some(mut texts) = texts {
            texts.sort();
            texts.into_iter().map(Value::Text).collect()
        } else {
            let mut numbers = numbers?;
            numbers.sort_unstable();
            numbers.into_iter().map(Value::Integer).collect()
        };
    }
    Some(Value::List(elements))
}
