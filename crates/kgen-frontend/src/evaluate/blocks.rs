//! Blocks, conditions and loops.

use std::rc::Rc;

use kgen_diagnostics::Span;
use syn::{Expr, Stmt};

use super::expressions::{stop, unread};
use super::frame::{Binding, Item, names_of};
use super::types::Type;
use super::value::Value;
use super::{Evaluator, Found, Language, Step, Stop};

impl Evaluator<'_> {
    /// Returns the value of a block.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Step<Value> {
        let (bindings, items) = (self.frame.bindings.len(), self.frame.items.len());
        self.declare_items(statements);
        let result = self.statements(statements);
        self.frame.bindings.truncate(bindings);
        self.frame.items.truncate(items);
        result
    }

    fn statements(&mut self, statements: &[Stmt]) -> Step<Value> {
        let Some((last, before)) = statements.split_last() else {
            return Ok(Value::Unit);
        };
        for statement in before {
            self.statement(statement)?;
        }
        match last {
            Stmt::Expr(expression, None) => self.value(expression),
            Stmt::Macro(call) if call.semi_token.is_none() => self.macro_call(&call.mac),
            other => {
                self.statement(other)?;
                Ok(Value::Unit)
            }
        }
    }

    /// Declares the items of a block in the whole block.
    fn declare_items(&mut self, statements: &[Stmt]) {
        let module = self.frame.scope.module;
        let is_module = self.program().is_block(module);
        for statement in statements {
            let Stmt::Item(item) = statement else { continue };
            let declared = match item {
                syn::Item::Const(item) => Item::Constant(item.ident.to_string(), Rc::new(item.clone())),
                syn::Item::Fn(item) => {
                    let parentheses = item.sig.paren_token.span;
                    let (open, close) = (
                        self.frame.span(parentheses.open()),
                        self.frame.span(parentheses.close()),
                    );
                    let body = self.frame.span(item.block.brace_token.span.join());
                    let found = Found {
                        module: self.frame.scope.module,
                        this: self.this(),
                        body,
                        inputs: Some(Span::new(open.file, open.end, close.start)),
                        output: Some(Span::new(open.file, close.end, body.start)),
                        generics: None,
                        block: None,
                        is_of_trait: false,
                        language: Language::Rust,
                    };
                    Item::Function(item.sig.ident.to_string(), found)
                }
                syn::Item::Use(item) => {
                    let mut paths = Vec::new();
                    imports(&item.tree, &mut Vec::new(), &mut paths);
                    self.frame.items.extend(paths);
                    continue;
                }
                syn::Item::Static(item) => Item::Other(item.ident.to_string()),
                // The types of a block that makes a schema are in a module of their own.
                syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Type(_) if is_module => continue,
                syn::Item::Struct(item) => Item::Other(item.ident.to_string()),
                syn::Item::Enum(item) => Item::Other(item.ident.to_string()),
                syn::Item::Type(item) => Item::Other(item.ident.to_string()),
                _ => continue,
            };
            self.frame.items.push(declared);
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Step<()> {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(_) => Ok(()),
            Stmt::Expr(expression, _) => self.value(expression).map(drop),
            Stmt::Macro(call) => self.macro_call(&call.mac).map(drop),
        }
    }

    fn local(&mut self, local: &syn::Local) -> Step<()> {
        let (pattern, annotation) = match &local.pat {
            syn::Pat::Type(typed) => (typed.pat.as_ref(), Some(typed.ty.as_ref())),
            other => (other, None),
        };
        let span = self.frame.span(syn::spanned::Spanned::span(pattern));
        let Some(init) = &local.init else {
            return Err(stop(
                span,
                "kgen does not evaluate variables without an initial value",
            ));
        };
        let place = self.frame.place(&init.expr);
        if init.diverge.is_some() {
            return Err(unread(place));
        }
        // A value that is never read may be anything, unless computing it changes something else.
        if matches!(pattern, syn::Pat::Wild(_)) {
            return match init.expr.as_ref() {
                Expr::Path(_) | Expr::Lit(_) | Expr::Field(_) => Ok(()),
                Expr::Reference(reference) if matches!(*reference.expr, Expr::Path(_)) => Ok(()),
                expression => self.value(expression).map(drop),
            };
        }
        if let (syn::Pat::Ident(name), Some(target)) = (pattern, self.borrowed(&init.expr)) {
            let name = name.ident.to_string();
            self.frame.bindings.push((name, Binding::Alias(target)));
            return Ok(());
        }
        let value = self.value(&init.expr)?;
        let wanted = annotation.map_or(Type::Unknown, |written| self.type_at(written));
        let value = self.coerced(value, &wanted, place)?;
        if self.matches(pattern, &value)? {
            Ok(())
        } else {
            Err(unread(place))
        }
    }

    pub(super) fn condition(&mut self, condition: &syn::ExprIf) -> Step<Value> {
        let bindings = self.frame.bindings.len();
        let result = match self.holds(&condition.cond) {
            Ok(true) => self.block(&condition.then_branch.stmts),
            Ok(false) => {
                self.frame.bindings.truncate(bindings);
                match &condition.else_branch {
                    Some((_, otherwise)) => self.value(otherwise),
                    None => Ok(Value::Unit),
                }
            }
            Err(error) => Err(error),
        };
        self.frame.bindings.truncate(bindings);
        result
    }

    /// Returns whether a condition holds. The names of `if let` become variables.
    pub(super) fn holds(&mut self, condition: &Expr) -> Step<bool> {
        let span = self.frame.place(condition);
        match condition {
            Expr::Let(found) => {
                if let Some(target) = self.borrowed(&found.expr)
                    && let Some(name) = super::patterns::inner_name(&found.pat)
                {
                    if self.part(&target).is_none_or(Value::is_none) {
                        return Ok(false);
                    }
                    self.frame.bindings.push((name, Binding::Alias(target)));
                    return Ok(true);
                }
                let value = self.value(&found.expr)?;
                self.matches(&found.pat, &value)
            }
            Expr::Binary(both) if matches!(both.op, syn::BinOp::And(_)) => {
                Ok(self.holds(&both.left)? && self.holds(&both.right)?)
            }
            Expr::Paren(inner) => self.holds(&inner.expr),
            other => {
                let value = self.value(other)?;
                value
                    .boolean()
                    .ok_or_else(|| stop(span, "kgen cannot decide this condition"))
            }
        }
    }

    pub(super) fn choice(&mut self, choice: &syn::ExprMatch, span: Span) -> Step<Value> {
        let value = self.value(&choice.expr)?;
        for arm in &choice.arms {
            let bindings = self.frame.bindings.len();
            let result = match self.matches(&arm.pat, &value) {
                Ok(true) => self.value(&arm.body),
                Ok(false) => {
                    self.frame.bindings.truncate(bindings);
                    continue;
                }
                Err(error) => Err(error),
            };
            self.frame.bindings.truncate(bindings);
            return result;
        }
        Err(stop(span, "no arm matches the value"))
    }

    pub(super) fn each(&mut self, each: &syn::ExprForLoop, span: Span) -> Step<Value> {
        if each.label.is_some() {
            return Err(unread(span));
        }
        let list = self.value(&each.expr)?;
        let elements = match list {
            Value::List(list) => list,
            Value::Map(entries) => entries
                .into_iter()
                .map(|(key, value)| Value::Tuple(vec![Value::Text(key), value]))
                .collect(),
            _ => return Err(unread(self.frame.place(&each.expr))),
        };
        for element in elements {
            self.budget.spend(1, span)?;
            let bindings = self.frame.bindings.len();
            let result = match self.matches(&each.pat, &element) {
                Ok(true) => self.block(&each.body.stmts),
                Ok(false) => Err(unread(span)),
                Err(error) => Err(error),
            };
            self.frame.bindings.truncate(bindings);
            result?;
        }
        Ok(Value::Unit)
    }

    /// Calls a closure, or the function at a path.
    pub(super) fn apply(&mut self, function: &Expr, arguments: Vec<Value>) -> Step<Value> {
        let span = self.frame.place(function);
        match function {
            Expr::Closure(closure) => {
                if closure.inputs.len() != arguments.len() {
                    return Err(unread(span));
                }
                let bindings = self.frame.bindings.len();
                let mut result = Ok(true);
                for (pattern, value) in closure.inputs.iter().zip(&arguments) {
                    let pattern = match pattern {
                        syn::Pat::Type(typed) => typed.pat.as_ref(),
                        other => other,
                    };
                    result = self.matches(pattern, value);
                    if !matches!(result, Ok(true)) {
                        break;
                    }
                }
                let value = match result {
                    Ok(true) => match self.value(&closure.body) {
                        Err(Stop::Return(value)) => Ok(value),
                        other => other,
                    },
                    Ok(false) => Err(unread(span)),
                    Err(error) => Err(error),
                };
                self.frame.bindings.truncate(bindings);
                value
            }
            Expr::Path(path) if path.qself.is_some() => self.qualified(path, Some(arguments), span),
            Expr::Path(path) => {
                let names = names_of(&path.path);
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                self.called(&names, path.path.leading_colon.is_some(), arguments, span)
            }
            _ => Err(unread(span)),
        }
    }
}

/// Adds the names that a `use` brings.
fn imports(tree: &syn::UseTree, before: &mut Vec<String>, items: &mut Vec<Item>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            imports(&path.tree, before, items);
            before.pop();
        }
        syn::UseTree::Name(name) => {
            let name = name.ident.to_string();
            let path = before.iter().cloned().chain([name.clone()]).collect();
            items.push(Item::Import(name, path));
        }
        syn::UseTree::Rename(rename) => {
            let path = before.iter().cloned().chain([rename.ident.to_string()]).collect();
            items.push(Item::Import(rename.rename.to_string(), path));
        }
        syn::UseTree::Glob(_) => items.push(Item::Glob(before.clone())),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                imports(tree, before, items);
            }
        }
    }
}
