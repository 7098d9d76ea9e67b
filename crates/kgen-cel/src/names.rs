//! Resolves the names in an expression: variables, types, and the fields of values.

use crate::schema::Schema;

use super::checker::Checker;
use super::declarations;
use super::declared::{self, Declared};
use super::mistake::{Mistake, MistakeKind};
use super::quoted::quoted_list;
use super::tree::{Expression, Id};
use super::types::{Type, TypeId};

impl<S: Schema> Checker<'_, S> {
    /// Returns the type of a field of an object.
    fn field_type(&mut self, object: u32, name: &str) -> Option<TypeId> {
        let found = self.objects.get(object as usize)?;
        if let Some(known) = found.fields.get(name) {
            return Some(*known);
        }
        let Some(declared) = found.declared.field(name) else {
            return self.field_type(object, &declared::escaped_word(name)?);
        };
        let field_type = self.declared_type(declared);
        let found = self.objects.get_mut(object as usize)?;
        found.fields.insert(name.to_owned(), field_type);
        Some(field_type)
    }

    fn local(&self, name: &str) -> Option<TypeId> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find(|(known, _)| known == name).map(|(_, found)| *found)
    }

    fn global(&self, name: &str) -> Option<TypeId> {
        let mut globals = self.globals.iter();
        globals.find(|(known, _)| *known == name).map(|(_, found)| *found)
    }

    /// Returns whether a name refers to a variable.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.global(name).is_some() || self.local(name).is_some()
    }

    pub(super) fn check_name(&mut self, id: Id, name: &str) -> TypeId {
        if let Some(local) = self.local(name).filter(|_| !name.starts_with('.')) {
            return local;
        }
        let global = name.trim_start_matches('.');
        if let Some(found) = self.global(global) {
            return found;
        }
        if let Some(signature) = declarations::type_name(global) {
            let named = self.instance(signature, &[]);
            return self.types.id(Type::Meta(named));
        }
        let message = format!("there is no variable `{global}`");
        let mistake = Mistake::new(MistakeKind::UnknownVariable, self.tree.point(id), message);
        let locals = self.scopes.iter().map(|(name, _)| name.as_ref());
        let globals = self.globals.iter().map(|(name, _)| *name);
        self.mistakes.add(match global {
            "duration" => mistake.help("write `google.protobuf.Duration` for the type"),
            "timestamp" => mistake.help("write `google.protobuf.Timestamp` for the type"),
            _ if self.global("self").is_some() => mistake
                .candidates(global, locals.chain(globals))
                .help("use `self` for the value, or `oldSelf` for the value before an update"),
            _ => {
                // Few conditions need the authorizer, so the help leaves it out.
                let usual = globals.clone().filter(|name| *name != "authorizer");
                let help = format!("use one of {}", quoted_list(usual));
                mistake.candidates(global, locals.chain(globals)).help(help)
            }
        });
        TypeId::ERROR
    }

    /// Resolves names that are joined by dots, if they name a type.
    pub(super) fn check_qualified_name(&mut self, id: Id) -> Option<TypeId> {
        let first = self.first_name(id)?;
        let package = first.trim_start_matches('.');
        if !declarations::PACKAGES.contains(&package) {
            return None;
        }
        if !first.starts_with('.') && self.local(package).is_some() {
            return None;
        }
        let name = self.tree.dotted_name(id)?;
        let name = name.trim_start_matches('.').to_owned();
        match declarations::type_name(&name) {
            Some(signature) => {
                let named = self.instance(signature, &[]);
                let own = self.types.id(Type::Meta(named));
                self.tree.replace(id, Expression::Name(name.into()));
                Some(own)
            }
            // Messages of protocol buffers are not listed here, because rules do not use them in practice.
            None if package == "google" => {
                self.tree.replace(id, Expression::Name(name.into()));
                Some(TypeId::DYN)
            }
            None => None,
        }
    }

    /// Returns the first name in a chain of fields.
    fn first_name(&self, id: Id) -> Option<String> {
        let mut next = id;
        loop {
            match self.tree.expression(next)? {
                Expression::Select {
                    operand, test: false, ..
                } => next = *operand,
                Expression::Name(name) => return Some(name.to_string()),
                _ => return None,
            }
        }
    }

    pub(super) fn check_field(&mut self, id: Id, operand: Id, field: &str, optional: bool) -> TypeId {
        self.check(operand);
        let operand_type = self.type_of(operand);
        let operand_type = self.types.resolved(operand_type, false);
        let (target, was_optional) = self.unwrapped(operand_type);
        let found = match self.types.get(target) {
            Type::Map(_, value) => value,
            Type::Object(object) => match self.field_type(object, field) {
                Some(found) => found,
                None => {
                    self.missing_field(id, operand, object, field);
                    TypeId::ERROR
                }
            },
            Type::Free(_) => {
                self.types.fits(TypeId::DYN, target);
                TypeId::DYN
            }
            Type::Dyn | Type::Error => TypeId::DYN,
            _ => {
                let message = format!(
                    "{} has no field `{field}`: it is not an object, but `{}`",
                    self.shown(operand, "the value"),
                    self.types.shown(target)
                );
                let point = self.tree.point(id);
                self.mistakes
                    .add(Mistake::new(MistakeKind::UnknownField, point, message));
                TypeId::DYN
            }
        };
        if was_optional || optional {
            self.types.id(Type::Optional(found))
        } else {
            found
        }
    }

    fn missing_field(&mut self, id: Id, operand: Id, object: u32, field: &str) {
        let Some(object) = self.objects.get(object as usize) else {
            return;
        };
        let object = object.declared;
        if object.hides(field) {
            let message = format!("rules cannot read the field `{field}`, because it accepts any value");
            let point = self.tree.point(id);
            self.mistakes
                .add(Mistake::new(MistakeKind::UnknownField, point, message));
            return;
        }
        let point = self.tree.point(id);
        let operand = self.shown(operand, "the object");
        let message = format!("{operand} has no field `{field}`");
        let unknown = |message: String| Mistake::new(MistakeKind::UnknownField, point, message);
        self.mistakes.add(match object {
            Declared::Metadata(_) => unknown(format!(
                "{message}: rules can read only `metadata.name` and `metadata.generateName`"
            )),
            _ => {
                let names = object.field_names();
                let written = declared::escaped(field).filter(|written| names.contains(written));
                match written {
                    Some(written) => unknown(format!(
                        "the field `{field}` must be written as `{written}` in a rule"
                    )),
                    None => unknown(message).candidates(field, names),
                }
            }
        });
    }

    /// Quotes an expression that consists of names joined by dots; other expressions are called `otherwise`.
    fn shown(&self, id: Id, otherwise: &str) -> String {
        let name = self.tree.dotted_name(id);
        name.map_or_else(|| otherwise.to_owned(), |name| format!("`{name}`"))
    }
}
