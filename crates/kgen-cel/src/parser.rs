//! The parser, after the grammar `CEL.g4` of `cel-go` with the syntax that Kubernetes enables.
//!
//! It builds a tree in which macros are already expanded. It counts and limits the depth of an expression as `cel-go` does,
//! which also keeps the parser itself from overflowing the stack.

use crate::limits::{EXPRESSION_CHARACTERS, EXPRESSION_DEPTH};

use super::lexer::{Kind, Token, tokens};
use super::literal;
use super::macros::{self, MemberCall};
use super::parse_error::ParseError;
use super::tree::{Entry, Expression, Id, Item, Literal, Tree};

/// Names that cannot be variables or functions. They can be fields.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

/// Parses an expression.
pub(super) fn parse(source: &str) -> Result<Tree<'_>, ParseError> {
    let length = source.chars().count();
    if length > EXPRESSION_CHARACTERS {
        return Err(ParseError::new(
            0,
            format!("it has {length} characters, more than {EXPRESSION_CHARACTERS}"),
        ));
    }
    if source.trim().is_empty() {
        return Err(ParseError::new(0, "it is empty"));
    }
    let mut parser = Parser {
        tokens: tokens(source)?,
        position: 0,
        nesting: 0,
        tree: Tree::default(),
    };
    let piece = parser.expression()?;
    match parser.peek().kind {
        Kind::End => {
            parser.tree.set_root(piece.id);
            Ok(parser.tree)
        }
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

/// A piece of an expression.
#[derive(Clone, Copy, Debug)]
struct Piece {
    id: Id,
    /// The nesting depth of operators, fields, calls and indices in it.
    depth: usize,
    /// Whether it consists of names joined by dots, so that it could name a type.
    dotted_name: bool,
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    position: usize,
    nesting: usize,
    tree: Tree<'a>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        let end = Token {
            kind: Kind::End,
            text: "",
            offset: 0,
        };
        self.tokens
            .get(self.position)
            .or(self.tokens.last())
            .copied()
            .unwrap_or(end)
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.position += 1;
        token
    }

    fn take(&mut self, symbol: &'static str) -> bool {
        let found = self.peek().kind == Kind::Symbol(symbol);
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), ParseError> {
        if self.take(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let token = self.peek();
        let found = if token.kind == Kind::End {
            "the end".to_owned()
        } else {
            format!("`{}`", token.text)
        };
        ParseError::new(token.offset, format!("{expected} is missing before {found}"))
    }

    /// Adds a node that does not count for the depth.
    fn node(&mut self, expression: Expression<'a>, start: usize, point: usize, depth: usize) -> Piece {
        Piece {
            id: self.tree.add(expression, start, point),
            depth,
            dotted_name: false,
        }
    }

    /// Returns the depth of a piece that consists of others and counts for the depth.
    fn deeper(offset: usize, parts: &[Piece]) -> Result<usize, ParseError> {
        let depth = deepest(parts) + 1;
        if depth > EXPRESSION_DEPTH {
            return Err(ParseError::new(
                offset,
                format!("it is nested more than {EXPRESSION_DEPTH} levels deep"),
            ));
        }
        Ok(depth)
    }

    /// Adds the call of an operator.
    fn operator(&mut self, name: &'static str, point: usize, parts: &[Piece], depth: usize) -> Piece {
        let arguments: Vec<_> = parts.iter().map(|part| part.id).collect();
        let start = arguments
            .first()
            .map_or(point, |first| self.tree.start(*first).min(point));
        let call = Expression::Call {
            function: name.into(),
            target: None,
            arguments,
        };
        self.node(call, start, point, depth)
    }

    /// Parses `a ? b : c`, or anything that binds tighter.
    fn expression(&mut self) -> Result<Piece, ParseError> {
        self.nesting += 1;
        if self.nesting > EXPRESSION_DEPTH {
            return Err(ParseError::new(
                self.peek().offset,
                format!("it is nested more than {EXPRESSION_DEPTH} levels deep"),
            ));
        }
        let mut piece = self.logical_or()?;
        let point = self.peek().offset;
        if self.take("?") {
            let then = self.logical_or()?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            let parts = [piece, then, otherwise];
            let depth = Self::deeper(self.tree.start(piece.id), &parts)?;
            piece = self.operator("_?_:_", point, &parts, depth);
        }
        self.nesting -= 1;
        Ok(piece)
    }

    fn logical_or(&mut self) -> Result<Piece, ParseError> {
        self.logical("||", "_||_", Self::logical_and)
    }

    fn logical_and(&mut self) -> Result<Piece, ParseError> {
        self.logical("&&", "_&&_", |parser| parser.operators(RELATION))
    }

    /// Parses terms that a logical operator joins. `cel-go` balances these, so they do not count for the depth.
    fn logical(
        &mut self,
        symbol: &'static str,
        name: &'static str,
        term: fn(&mut Self) -> Result<Piece, ParseError>,
    ) -> Result<Piece, ParseError> {
        let mut terms = vec![(0, term(self)?)];
        loop {
            let point = self.peek().offset;
            if !self.take(symbol) {
                return Ok(self.balanced(name, &terms));
            }
            terms.push((point, term(self)?));
        }
    }

    /// Builds a balanced tree of terms. Each term comes with the offset of the operator before it.
    fn balanced(&mut self, name: &'static str, terms: &[(usize, Piece)]) -> Piece {
        match terms {
            [(_, term)] => *term,
            terms => {
                let (left, right) = terms.split_at(terms.len() / 2);
                let point = right.first().map_or(0, |(point, _)| *point);
                let parts = [self.balanced(name, left), self.balanced(name, right)];
                self.operator(name, point, &parts, deepest(&parts))
            }
        }
    }

    /// Parses operands that are joined by operators that bind at least as tightly as `least`, from left to right.
    fn operators(&mut self, least: u8) -> Result<Piece, ParseError> {
        let mut piece = self.unary()?;
        while let Some((name, precedence)) =
            operator(self.peek().kind).filter(|(_, precedence)| *precedence >= least)
        {
            let point = self.next().offset;
            let parts = [piece, self.operators(precedence + 1)?];
            let depth = Self::deeper(self.tree.start(piece.id), &parts)?;
            piece = self.operator(name, point, &parts, depth);
        }
        Ok(piece)
    }

    /// Parses any number of `!`, or of `-`, before a member. Two signs cancel each other.
    fn unary(&mut self) -> Result<Piece, ParseError> {
        let signed_number = self.peek().kind == Kind::Symbol("-")
            && self
                .tokens
                .get(self.position + 1)
                .is_some_and(|token| is_number(token.kind));
        let point = self.peek().offset;
        for (symbol, name) in [("!", "!_"), ("-", "-_")] {
            if signed_number || !self.take(symbol) {
                continue;
            }
            let mut count = 1;
            while self.take(symbol) {
                count += 1;
            }
            let piece = self.member()?;
            return Ok(if count % 2 == 0 {
                Piece {
                    dotted_name: false,
                    ..piece
                }
            } else {
                self.operator(name, point, &[piece], piece.depth)
            });
        }
        self.member()
    }

    /// Parses a primary with the fields, calls and indices after it.
    fn member(&mut self) -> Result<Piece, ParseError> {
        let mut piece = self.primary()?;
        loop {
            let point = self.peek().offset;
            if self.take(".") {
                piece = self.field_or_call(piece)?;
            } else if self.take("[") {
                let name = if self.take("?") { "_[?_]" } else { "_[_]" };
                let parts = [piece, self.expression()?];
                self.expect("]")?;
                let depth = Self::deeper(self.tree.start(piece.id), &parts)?;
                piece = self.operator(name, point, &parts, depth);
            } else if piece.dotted_name && self.take("{") {
                piece = self.message(piece)?;
            } else {
                return Ok(piece);
            }
        }
    }

    fn field_or_call(&mut self, target: Piece) -> Result<Piece, ParseError> {
        let optional = self.take("?");
        let token = self.peek();
        let name = match token.kind {
            Kind::Identifier => token.text,
            Kind::EscapedIdentifier => token.text.trim_matches('`'),
            _ => return Err(self.unexpected("the name of a field")),
        };
        self.next();
        let (start, point) = (self.tree.start(target.id), token.offset);
        if !optional && token.kind == Kind::Identifier && self.take("(") {
            let mut parts = self.arguments()?;
            let arguments: Vec<_> = parts.iter().map(|part| part.id).collect();
            parts.push(target);
            let depth = Self::deeper(start, &parts)?;
            let call = MemberCall {
                name,
                target: target.id,
                arguments: &arguments,
                point,
            };
            if let Some(id) = macros::expand_member_call(&mut self.tree, &call)? {
                return Ok(Piece {
                    id,
                    depth,
                    dotted_name: false,
                });
            }
            let call = Expression::Call {
                function: name.into(),
                target: Some(target.id),
                arguments,
            };
            return Ok(self.node(call, start, point, depth));
        }
        let depth = Self::deeper(start, &[target])?;
        if optional {
            let literal = Expression::Literal(Literal::Text(name.into()));
            let field = self.node(literal, point, point, 0);
            return Ok(self.operator("_?._", point, &[target, field], depth));
        }
        let select = Expression::Select {
            operand: target.id,
            field: name.into(),
            test: false,
        };
        Ok(Piece {
            dotted_name: target.dotted_name && token.kind == Kind::Identifier,
            ..self.node(select, start, point, depth)
        })
    }

    /// Parses the arguments of a call and the closing parenthesis.
    fn arguments(&mut self) -> Result<Vec<Piece>, ParseError> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.take(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    fn primary(&mut self) -> Result<Piece, ParseError> {
        let token = self.peek();
        let offset = token.offset;
        let literal = match token.kind {
            Kind::Symbol(".") => {
                self.next();
                return self.name(offset, true);
            }
            Kind::Identifier => return self.name(offset, false),
            Kind::Symbol("(") => {
                self.next();
                let piece = self.expression()?;
                self.expect(")")?;
                return Ok(Piece {
                    dotted_name: false,
                    ..piece
                });
            }
            Kind::Symbol("[") => {
                self.next();
                return self.list(offset);
            }
            Kind::Symbol("{") => {
                self.next();
                return self.map(offset);
            }
            Kind::Symbol("-") => {
                self.next();
                return self.number(true, offset);
            }
            Kind::Integer | Kind::Unsigned | Kind::Float => return self.number(false, offset),
            Kind::Quoted => literal::quoted_value(token.text),
            Kind::Symbol("null") => Literal::Null,
            Kind::Symbol(word @ ("true" | "false")) => Literal::Bool(word == "true"),
            _ => return Err(self.unexpected("an expression")),
        };
        self.next();
        Ok(self.node(Expression::Literal(literal), offset, offset, 0))
    }

    fn number(&mut self, negative: bool, offset: usize) -> Result<Piece, ParseError> {
        let token = self.peek();
        if !is_number(token.kind) && (negative || token.kind != Kind::Unsigned) {
            return Err(self.unexpected("a number"));
        }
        let Some(value) = literal::number_value(token.kind, token.text, negative) else {
            return Err(ParseError::new(
                token.offset,
                format!("`{}` is too large", token.text),
            ));
        };
        self.next();
        Ok(self.node(Expression::Literal(value), offset, offset, 0))
    }

    /// Parses a variable or the call of a function.
    fn name(&mut self, offset: usize, rooted: bool) -> Result<Piece, ParseError> {
        let token = self.peek();
        if token.kind != Kind::Identifier {
            return Err(self.unexpected("a name"));
        }
        let name = token.text;
        self.next();
        // The name of a type may contain reserved words; only the next tokens tell whether it is one.
        let message = self.peek().kind == Kind::Symbol("{");
        if RESERVED.contains(&name) && !message {
            return Err(ParseError::new(
                token.offset,
                format!("`{name}` is a reserved word"),
            ));
        }
        let full_name = if rooted {
            format!(".{name}").into()
        } else {
            name.into()
        };
        if self.take("(") {
            let parts = self.arguments()?;
            let arguments: Vec<_> = parts.iter().map(|part| part.id).collect();
            let depth = deepest(&parts);
            if !rooted && let Some(id) = macros::expand_global_call(&mut self.tree, name, &arguments, offset)?
            {
                return Ok(Piece {
                    id,
                    depth,
                    dotted_name: false,
                });
            }
            let call = Expression::Call {
                function: full_name,
                target: None,
                arguments,
            };
            return Ok(self.node(call, offset, token.offset, depth));
        }
        Ok(Piece {
            dotted_name: true,
            ..self.node(Expression::Name(full_name), offset, offset, 0)
        })
    }

    /// Parses the items of a list and the closing bracket, which a comma may precede.
    fn list(&mut self, offset: usize) -> Result<Piece, ParseError> {
        let mut items = Vec::new();
        let mut depth = 0;
        while !self.closes("]") {
            let optional = self.take("?");
            let piece = self.expression()?;
            depth = depth.max(piece.depth);
            items.push(Item {
                value: piece.id,
                optional,
            });
            if !self.take(",") {
                self.expect("]")?;
                break;
            }
        }
        Ok(self.node(Expression::List(items), offset, offset, depth))
    }

    /// Parses the entries of a map and the closing brace, which a comma may precede.
    fn map(&mut self, offset: usize) -> Result<Piece, ParseError> {
        let mut entries = Vec::new();
        let mut depth = 0;
        while !self.closes("}") {
            let optional = self.take("?");
            let key = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            depth = depth.max(key.depth).max(value.depth);
            entries.push(Entry {
                key: key.id,
                value: value.id,
                optional,
            });
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(self.node(Expression::Map(entries), offset, offset, depth))
    }

    /// Parses the fields of a message and the closing brace, which a comma may precede.
    fn message(&mut self, name: Piece) -> Result<Piece, ParseError> {
        let mut fields = Vec::new();
        let mut depth = 0;
        while !self.closes("}") {
            self.take("?");
            if !matches!(self.peek().kind, Kind::Identifier | Kind::EscapedIdentifier) {
                return Err(self.unexpected("the name of a field"));
            }
            self.next();
            self.expect(":")?;
            let piece = self.expression()?;
            depth = depth.max(piece.depth);
            fields.push(piece.id);
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        let start = self.tree.start(name.id);
        let name = self.tree.dotted_name(name.id).unwrap_or_default();
        Ok(self.node(Expression::Message { name, fields }, start, start, depth))
    }

    /// Returns whether a list, map or message ends here. An empty one may contain a single comma.
    fn closes(&mut self, symbol: &'static str) -> bool {
        if self.take(symbol) {
            return true;
        }
        let lone_comma = self.peek().kind == Kind::Symbol(",")
            && self
                .tokens
                .get(self.position + 1)
                .is_some_and(|token| token.kind == Kind::Symbol(symbol));
        if lone_comma {
            self.position += 2;
        }
        lone_comma
    }
}

/// Returns the depth of the deepest piece.
fn deepest(parts: &[Piece]) -> usize {
    parts.iter().map(|part| part.depth).max().unwrap_or_default()
}

/// The binding power of comparisons.
const RELATION: u8 = 1;

/// Returns the function and the binding power of an operator, or `None` if the token is not an operator.
fn operator(kind: Kind) -> Option<(&'static str, u8)> {
    let Kind::Symbol(symbol) = kind else { return None };
    Some(match symbol {
        "<" => ("_<_", RELATION),
        "<=" => ("_<=_", RELATION),
        ">=" => ("_>=_", RELATION),
        ">" => ("_>_", RELATION),
        "==" => ("_==_", RELATION),
        "!=" => ("_!=_", RELATION),
        "in" => ("@in", RELATION),
        "+" => ("_+_", 2),
        "-" => ("_-_", 2),
        "*" => ("_*_", 3),
        "/" => ("_/_", 3),
        "%" => ("_%_", 3),
        _ => return None,
    })
}

/// Returns whether a token is a number, which can have a sign.
fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Float)
}
