//! What the names in an expression stand for: variables, types, and the fields of values.

use super::super::text;
use super::checker::Checker;
use super::declarations;
use super::declared::{self, Declared};
use super::mistake::Sort;
use super::tree::{Expression, Id};
use super::types::{Type, TypeId};

impl Checker<'_, '_> {
    /// The type of a field of an object.
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

    /// Whether a name stands for a value.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.global(name).is_some() || self.local(name).is_some()
    }

    pub(super) fn check_name(&mut self, id: Id, name: &str) -> TypeId {
        if name.trim_start_matches('.') == "oldSelf" {
            self.uses_old_self = true;
        }
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
        let variables = self.scopes.iter().map(|(name, _)| name.as_ref());
        let globals = self.globals.iter().map(|(name, _)| *name);
        let hint = text::nearest(global, variables.chain(globals));
        let help = match (global, hint) {
            ("duration", _) => "the type is called `google.protobuf.Duration`".to_owned(),
            ("timestamp", _) => "the type is called `google.protobuf.Timestamp`".to_owned(),
            (_, Some(hint)) => format!("did you mean `{hint}`?"),
            (_, None) if self.global("self").is_some() => {
                "the value is called `self`, and the one before a change `oldSelf`".to_owned()
            }
            (_, None) => {
                let names = text::quoted_list(self.globals.iter().map(|(name, _)| *name));
                format!("there is {names}")
            }
        };
        self.mistakes.add(
            Sort::Name,
            self.tree.point(id),
            format!("there is no variable `{global}`"),
            Some(help),
        );
        TypeId::ERROR
    }

    /// Names with dots between them can be the name of a type.
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
            // The messages of protocol buffers are many, and nobody writes them in rules.
            None if package == "google" => {
                self.tree.replace(id, Expression::Name(name.into()));
                Some(TypeId::DYN)
            }
            None => None,
        }
    }

    /// The name that fields are selected from, if there is nothing but fields in between.
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
                    "{} has no field `{field}`: it is no object, but `{}`",
                    self.shown(operand, "the value"),
                    self.types.shown(target)
                );
                let point = self.tree.point(id);
                self.mistakes.add(Sort::Name, point, message, None);
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
            let message = format!("rules see no field `{field}`, because it can be anything");
            let point = self.tree.point(id);
            self.mistakes.add(Sort::Name, point, message, None);
            return;
        }
        let hint = match object {
            Declared::Metadata(_) => {
                ": rules can read `metadata.name` and `metadata.generateName` alone".to_owned()
            }
            _ => {
                let names = object.field_names();
                let written = declared::escaped(field).filter(|written| names.contains(written));
                if let Some(written) = written {
                    let point = self.tree.point(id);
                    let message = format!("a rule writes the field `{field}` as `{written}`");
                    self.mistakes.add(Sort::Name, point, message, None);
                    return;
                }
                text::suggestion(field, names.iter().map(String::as_str))
                    .map_or_else(String::new, |hint| format!("; {hint}"))
            }
        };
        let message = format!(
            "{} has no field `{field}`{hint}",
            self.shown(operand, "the object")
        );
        let point = self.tree.point(id);
        self.mistakes.add(Sort::Name, point, message, None);
    }

    /// An expression as it is written, if it is names with dots between them.
    fn shown(&self, id: Id, otherwise: &str) -> String {
        let name = self.tree.dotted_name(id);
        name.map_or_else(|| otherwise.to_owned(), |name| format!("`{name}`"))
    }
}
