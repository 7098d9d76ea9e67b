//! Statements in front of the value: `let`, and the few ways to add a keyword to a schema.

use syn::{Expr, Pat, Stmt};

use super::evaluate::Evaluator;
use super::written::Written;
use super::{Read, keywords, schemars_08};

impl Evaluator<'_, '_> {
    /// The value of a block.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Read<Written> {
        let (bindings, aliases) = (self.bindings.len(), self.aliases.len());
        let result = self.statements(statements);
        self.bindings.truncate(bindings);
        self.aliases.truncate(aliases);
        result
    }

    fn statements(&mut self, statements: &[Stmt]) -> Read<Written> {
        let Some((last, before)) = statements.split_last() else {
            return Ok(Written::null());
        };
        for statement in before {
            self.statement(statement)?;
        }
        match last {
            Stmt::Expr(expression, None) => self.value(expression),
            Stmt::Expr(Expr::Return(result), Some(_)) => match &result.expr {
                Some(value) => self.value(value),
                None => Ok(Written::null()),
            },
            Stmt::Macro(call) if call.semi_token.is_none() => self.macro_call(&call.mac),
            other => {
                self.statement(other)?;
                Ok(Written::null())
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Read<()> {
        match statement {
            Stmt::Local(local) => {
                let Some(init) = &local.init else { return Ok(()) };
                let name = match &local.pat {
                    Pat::Ident(ident) => ident.ident.to_string(),
                    Pat::Type(typed) => match typed.pat.as_ref() {
                        Pat::Ident(ident) => ident.ident.to_string(),
                        _ => return Err(self.place(&init.expr)),
                    },
                    Pat::Wild(_) => return Ok(()),
                    _ => return Err(self.place(&init.expr)),
                };
                // `let map = schema.ensure_object();` is the schema under another name.
                if let Some(target) = self.target_name(&init.expr)
                    && target != name
                    && is_borrow(&init.expr)
                {
                    self.aliases.push((name, target));
                    return Ok(());
                }
                let value = self.value(&init.expr)?;
                self.bindings.push((name, value));
                Ok(())
            }
            Stmt::Item(syn::Item::Const(item)) => {
                let value = self.value(&item.expr)?;
                self.bindings.push((item.ident.to_string(), value));
                Ok(())
            }
            Stmt::Item(_) => Ok(()),
            Stmt::Expr(expression, _) => self.effect(expression),
            Stmt::Macro(call) => Err(self.place(&Expr::Macro(syn::ExprMacro {
                attrs: Vec::new(),
                mac: call.mac.clone(),
            }))),
        }
    }

    /// A statement that changes a schema.
    fn effect(&mut self, expression: &Expr) -> Read<()> {
        let place = self.place(expression);
        match expression {
            Expr::MethodCall(call) if call.method == "insert" && call.args.len() == 2 => {
                let target = self.target_name(&call.receiver).ok_or(place)?;
                let mut arguments = call.args.iter();
                let (Some(key), Some(value)) = (arguments.next(), arguments.next()) else {
                    return Err(place);
                };
                let key = self.value(key)?.text().map(str::to_owned).ok_or(place)?;
                let value = self.value(value)?;
                match inner_map(&call.receiver) {
                    Some(map) => self.set_inside(&target, &map, &key, value, place),
                    None => self.set(&target, &key, value, place),
                }
            }
            // `schema.object().required.insert(…)`: a set, not a map.
            Expr::MethodCall(call) if call.method == "insert" && call.args.len() == 1 => {
                let target = self.target_name(&call.receiver).ok_or(place)?;
                let set = inner_map(&call.receiver).ok_or(place)?;
                let value = self.value(call.args.first().ok_or(place)?)?;
                self.add_to_list(&target, &set, value, place)
            }
            Expr::MethodCall(call) if call.method == "remove" && call.args.len() == 1 => {
                let target = self.target_name(&call.receiver).ok_or(place)?;
                let key = call.args.first().ok_or(place)?;
                let key = self.value(key)?.text().map(str::to_owned).ok_or(place)?;
                self.remove(&target, &key, place)
            }
            Expr::Assign(assign) => {
                let Expr::Field(field) = assign.left.as_ref() else {
                    return Err(place);
                };
                let syn::Member::Named(name) = &field.member else {
                    return Err(place);
                };
                let target = self.target_name(&field.base).ok_or(place)?;
                let value = self.value(&assign.right)?;
                if value.is_null() {
                    return Ok(());
                }
                match schemars_08::keyword(&name.to_string()) {
                    Some(key) if name != "extensions" => self.set(&target, &key, value, place),
                    _ => {
                        for (key, value) in value.entries().ok_or(place)? {
                            self.set(&target, &key, value, place)?;
                        }
                        Ok(())
                    }
                }
            }
            Expr::If(condition) if condition.else_branch.is_none() => {
                let Expr::Let(found) = condition.cond.as_ref() else {
                    return Err(place);
                };
                let target = self.target_name(&found.expr).ok_or(place)?;
                let name = pattern_name(&found.pat).ok_or(place)?;
                self.aliases.push((name, target));
                for statement in &condition.then_branch.stmts {
                    self.statement(statement)?;
                }
                Ok(())
            }
            _ => Err(place),
        }
    }

    /// The binding that an expression borrows: `schema`, `&mut schema`, `schema.as_object_mut().unwrap()`, …
    fn target_name(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                let alias = self.aliases.iter().rev().find(|(alias, _)| *alias == name);
                let name = alias.map_or(name, |(_, target)| target.clone());
                self.bindings
                    .iter()
                    .any(|(known, _)| *known == name)
                    .then_some(name)
            }
            Expr::Reference(reference) => self.target_name(&reference.expr),
            Expr::Paren(paren) => self.target_name(&paren.expr),
            Expr::MethodCall(call)
                if [
                    "as_object_mut",
                    "ensure_object",
                    "unwrap",
                    "expect",
                    "as_mut",
                    "get_or_insert_with",
                    "get_or_insert_default",
                ]
                .iter()
                .any(|name| call.method == name)
                    || schemars_08::is_group(&call.method.to_string()) =>
            {
                self.target_name(&call.receiver)
            }
            Expr::Field(field) => self.target_name(&field.base),
            _ => None,
        }
    }

    fn set(&mut self, target: &str, key: &str, value: Written, place: kgen_diagnostics::Span) -> Read<()> {
        let compat = self.compat();
        let binding = self.bindings.iter_mut().rev().find(|(known, _)| known == target);
        match binding {
            Some((_, Written::Object(entries))) => Written::set(entries, key, value),
            Some((_, Written::Schema(schema))) => {
                keywords::apply(schema, key, &value, compat).map_err(|()| place)?;
            }
            _ => return Err(place),
        }
        Ok(())
    }

    /// Sets an entry of a map inside a schema, such as `schema.object().properties.insert(…)`.
    fn set_inside(
        &mut self,
        target: &str,
        map: &str,
        key: &str,
        value: Written,
        place: kgen_diagnostics::Span,
    ) -> Read<()> {
        let binding = self.bindings.iter_mut().rev().find(|(known, _)| known == target);
        let Some((_, Written::Object(entries))) = binding else {
            return Err(place);
        };
        let known = entries
            .iter()
            .find(|(known, _)| known == map)
            .map(|(_, inner)| inner.entries());
        let mut inner = known.flatten().unwrap_or_default();
        Written::set(&mut inner, key, value);
        Written::set(entries, map, Written::Object(inner));
        Ok(())
    }

    /// Adds to a list inside a schema.
    fn add_to_list(
        &mut self,
        target: &str,
        list: &str,
        value: Written,
        place: kgen_diagnostics::Span,
    ) -> Read<()> {
        let binding = self.bindings.iter_mut().rev().find(|(known, _)| known == target);
        let Some((_, Written::Object(entries))) = binding else {
            return Err(place);
        };
        let known = entries.iter().find(|(known, _)| known == list);
        let mut values = known
            .and_then(|(_, values)| values.list())
            .map(<[Written]>::to_vec)
            .unwrap_or_default();
        values.push(value);
        Written::set(entries, list, Written::List(values));
        Ok(())
    }

    fn remove(&mut self, target: &str, key: &str, place: kgen_diagnostics::Span) -> Read<()> {
        let binding = self.bindings.iter_mut().rev().find(|(known, _)| known == target);
        match binding {
            Some((_, Written::Object(entries))) => entries.retain(|(known, _)| known != key),
            Some((_, Written::Schema(schema))) => keywords::remove(schema, key).map_err(|()| place)?,
            _ => return Err(place),
        }
        Ok(())
    }
}

/// Whether an expression borrows a schema instead of making one.
fn is_borrow(expression: &Expr) -> bool {
    match expression {
        Expr::Reference(reference) => reference.mutability.is_some(),
        Expr::MethodCall(call) => {
            ["as_object_mut", "ensure_object", "unwrap", "expect"]
                .iter()
                .any(|name| call.method == name)
                || schemars_08::is_group(&call.method.to_string())
        }
        _ => false,
    }
}

/// The keyword of a map inside a schema; extensions are keywords themselves.
fn inner_map(receiver: &Expr) -> Option<String> {
    let Expr::Field(field) = receiver else { return None };
    let syn::Member::Named(name) = &field.member else {
        return None;
    };
    if name == "extensions" {
        return None;
    }
    schemars_08::keyword(&name.to_string())
}

/// The name in `Some(name)` or `Schema::Object(name)`.
pub(in crate::shape) fn pattern_name(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Type(typed) => pattern_name(&typed.pat),
        Pat::Ident(ident) => Some(ident.ident.to_string()),
        Pat::TupleStruct(tuple) => pattern_name(tuple.elems.first()?),
        Pat::Reference(reference) => pattern_name(&reference.pat),
        _ => None,
    }
}
