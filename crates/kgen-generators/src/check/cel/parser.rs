//! The grammar of CEL, after `CEL.g4` of `cel-go` with the syntax that Kubernetes switches on.
//!
//! No tree is built: a piece of an expression is known by its shape, as far as macros ask for it, and by its depth,
//! which `cel-go` limits. The limit also keeps this parser from running out of stack.

use super::lexer::{Kind, Refusal, Token, tokens};
use super::{literal, macros};

/// Limits of `cel-go`: characters, and how deep expressions may be nested.
const MOST_CHARACTERS: usize = 100_000;
const MOST_DEPTH: usize = 250;

/// Names that cannot be variables or functions, though they can be fields.
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

/// What is known of an expression that could be parsed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expression {
    /// Whether it looks at the value before the change.
    pub(super) uses_old_self: bool,
    /// A name that is neither a variable of rules nor one that a macro declares around it.
    pub(super) unknown_variable: Option<String>,
}

/// What stands for a value in a rule, or names a type.
const KNOWN_NAMES: &[&str] = &[
    "self",
    "oldSelf",
    "bool",
    "bytes",
    "double",
    "dyn",
    "google",
    "int",
    "kubernetes",
    "list",
    "map",
    "net",
    "null_type",
    "optional_type",
    "string",
    "type",
    "uint",
];

impl Expression {
    /// Parses an expression.
    pub(super) fn parse(source: &str) -> Result<Self, Refusal> {
        let length = source.chars().count();
        if length > MOST_CHARACTERS {
            return Err(Refusal::new(
                0,
                format!("{length} characters are more than {MOST_CHARACTERS}"),
            ));
        }
        if source.trim().is_empty() {
            return Err(Refusal::new(0, "it is empty"));
        }
        let mut parser = Parser {
            tokens: tokens(source)?,
            position: 0,
            nesting: 0,
            uses_old_self: false,
            variables: Vec::new(),
        };
        parser.expression()?;
        let mut unknown = parser
            .variables
            .iter()
            .filter(|variable| !KNOWN_NAMES.contains(&variable.name));
        match parser.peek().kind {
            Kind::End => Ok(Self {
                uses_old_self: parser.uses_old_self,
                unknown_variable: unknown.next().map(|variable| variable.name.to_owned()),
            }),
            _ => Err(parser.unexpected("an operator or the end")),
        }
    }
}

/// What a piece of an expression looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape<'a> {
    /// A name by itself.
    Identifier(&'a str),
    /// A field of something.
    Select,
    /// Anything else.
    Other,
}

/// A piece of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) shape: Shape<'a>,
    /// Where it begins.
    pub(super) offset: usize,
    /// How deep operators, fields, calls and indices are nested in it.
    depth: usize,
    /// Whether it is names with dots between them, which could name a type.
    dotted_name: bool,
}

impl<'a> Piece<'a> {
    fn new(shape: Shape<'a>, offset: usize, depth: usize) -> Self {
        Self {
            shape,
            offset,
            depth,
            dotted_name: false,
        }
    }
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    position: usize,
    nesting: usize,
    uses_old_self: bool,
    /// Names that were read as values, and that no macro has declared so far.
    variables: Vec<Variable<'a>>,
}

/// A name that stands for a value.
#[derive(Clone, Copy, Debug)]
struct Variable<'a> {
    name: &'a str,
    offset: usize,
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

    fn expect(&mut self, symbol: &'static str) -> Result<(), Refusal> {
        if self.take(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    fn unexpected(&self, expected: &str) -> Refusal {
        let token = self.peek();
        let found = if token.kind == Kind::End {
            "the end".to_owned()
        } else {
            format!("`{}`", token.text)
        };
        Refusal::new(token.offset, format!("{expected} is missing before {found}"))
    }

    /// A piece that contains others and counts for the depth.
    fn deeper(offset: usize, parts: &[Piece<'_>], shape: Shape<'a>) -> Result<Piece<'a>, Refusal> {
        let depth = parts.iter().map(|part| part.depth).max().unwrap_or_default() + 1;
        if depth > MOST_DEPTH {
            return Err(Refusal::new(
                offset,
                format!("it is nested more than {MOST_DEPTH} deep"),
            ));
        }
        Ok(Piece::new(shape, offset, depth))
    }

    /// `a ? b : c`, or anything that binds tighter.
    fn expression(&mut self) -> Result<Piece<'a>, Refusal> {
        self.nesting += 1;
        if self.nesting > MOST_DEPTH {
            return Err(Refusal::new(
                self.peek().offset,
                format!("it is nested more than {MOST_DEPTH} deep"),
            ));
        }
        let mut piece = self.operators(LOGICAL_OR)?;
        if self.take("?") {
            let then = self.operators(LOGICAL_OR)?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            piece = Self::deeper(piece.offset, &[piece, then, otherwise], Shape::Other)?;
        }
        self.nesting -= 1;
        Ok(piece)
    }

    /// Operands between operators that bind at least as tight as `least`, from left to right.
    fn operators(&mut self, least: u8) -> Result<Piece<'a>, Refusal> {
        let mut piece = self.unary()?;
        while let Some(precedence) = precedence(self.peek().kind).filter(|precedence| *precedence >= least) {
            self.next();
            let right = self.operators(precedence + 1)?;
            piece = if precedence <= LOGICAL_AND {
                // `cel-go` balances these, so they do not count for the depth.
                Piece::new(Shape::Other, piece.offset, piece.depth.max(right.depth))
            } else {
                Self::deeper(piece.offset, &[piece, right], Shape::Other)?
            };
        }
        Ok(piece)
    }

    /// Any number of `!`, or any number of `-`, in front of a member.
    fn unary(&mut self) -> Result<Piece<'a>, Refusal> {
        let offset = self.peek().offset;
        if self.take("!") {
            while self.take("!") {}
            let piece = self.member()?;
            return Ok(Piece::new(Shape::Other, offset, piece.depth));
        }
        let signed_number = self.peek().kind == Kind::Symbol("-")
            && self
                .tokens
                .get(self.position + 1)
                .is_some_and(|token| is_number(token.kind));
        if !signed_number && self.take("-") {
            while self.take("-") {}
            let piece = self.member()?;
            return Ok(Piece::new(Shape::Other, offset, piece.depth));
        }
        self.member()
    }

    /// A primary with fields, calls and indices behind it.
    fn member(&mut self) -> Result<Piece<'a>, Refusal> {
        let mut piece = self.primary()?;
        loop {
            if self.take(".") {
                piece = self.field_or_call(piece)?;
            } else if self.take("[") {
                self.take("?");
                let index = self.expression()?;
                self.expect("]")?;
                piece = Self::deeper(piece.offset, &[piece, index], Shape::Other)?;
            } else if piece.dotted_name && self.take("{") {
                self.is_no_variable(piece);
                piece = self.message(piece.offset)?;
            } else {
                return Ok(piece);
            }
        }
    }

    fn field_or_call(&mut self, target: Piece<'a>) -> Result<Piece<'a>, Refusal> {
        let optional = self.take("?");
        let name = self.peek();
        match name.kind {
            Kind::Identifier | Kind::EscapedIdentifier => self.position += 1,
            _ => return Err(self.unexpected("the name of a field")),
        }
        if !optional && name.kind == Kind::Identifier && self.take("(") {
            // Functions have names with dots too, as in `sets.contains(a, b)`.
            self.is_no_variable(target);
            let outside = self.variables.len();
            let arguments = self.arguments()?;
            let declared = macros::check_member_call(name.text, &arguments)?;
            self.declare(outside, arguments.get(..declared).unwrap_or_default());
            let parts: Vec<_> = std::iter::once(target).chain(arguments).collect();
            return Self::deeper(target.offset, &parts, Shape::Other);
        }
        let shape = if optional { Shape::Other } else { Shape::Select };
        let mut piece = Self::deeper(target.offset, &[target], shape)?;
        piece.dotted_name = target.dotted_name && !optional && name.kind == Kind::Identifier;
        Ok(piece)
    }

    /// Forgets the name that a dotted name begins with.
    fn is_no_variable(&mut self, piece: Piece<'a>) {
        if piece.dotted_name {
            self.variables.retain(|variable| variable.offset != piece.offset);
        }
    }

    /// Forgets the variables that a macro declares, in all that was read since there were `outside` of them.
    fn declare(&mut self, outside: usize, declared: &[Piece<'a>]) {
        let is_declared = |variable: &Variable<'a>| {
            declared
                .iter()
                .any(|piece| piece.shape == Shape::Identifier(variable.name))
        };
        let inside = self.variables.split_off(outside.min(self.variables.len()));
        self.variables
            .extend(inside.into_iter().filter(|variable| !is_declared(variable)));
    }

    /// What stands between parentheses, up to and with the closing one.
    fn arguments(&mut self) -> Result<Vec<Piece<'a>>, Refusal> {
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

    fn primary(&mut self) -> Result<Piece<'a>, Refusal> {
        let token = self.peek();
        let offset = token.offset;
        match token.kind {
            Kind::Symbol(".") => {
                self.next();
                self.name(offset, true)
            }
            Kind::Identifier => self.name(offset, false),
            Kind::Symbol("(") => {
                self.next();
                let piece = self.expression()?;
                self.expect(")")?;
                Ok(Piece {
                    dotted_name: false,
                    ..piece
                })
            }
            Kind::Symbol("[") => {
                self.next();
                self.list(offset)
            }
            Kind::Symbol("{") => {
                self.next();
                self.map(offset)
            }
            Kind::Symbol("-") => {
                self.next();
                self.number(true, offset)
            }
            Kind::Integer | Kind::Unsigned | Kind::Float => self.number(false, offset),
            Kind::Quoted | Kind::Symbol("true" | "false" | "null") => {
                self.next();
                Ok(Piece::new(Shape::Other, offset, 0))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn number(&mut self, negative: bool, offset: usize) -> Result<Piece<'a>, Refusal> {
        let token = self.peek();
        if !is_number(token.kind) && (negative || token.kind != Kind::Unsigned) {
            return Err(self.unexpected("a number"));
        }
        if !literal::number_fits(token.kind, token.text, negative) {
            return Err(Refusal::new(
                token.offset,
                format!("`{}` is too large", token.text),
            ));
        }
        self.next();
        Ok(Piece::new(Shape::Other, offset, 0))
    }

    /// A variable or the call of a function.
    fn name(&mut self, offset: usize, rooted: bool) -> Result<Piece<'a>, Refusal> {
        let token = self.peek();
        if token.kind != Kind::Identifier {
            return Err(self.unexpected("a name"));
        }
        let name = token.text;
        self.next();
        // The name of a type may have reserved words in it; only what follows tells.
        let message = self.peek().kind == Kind::Symbol("{");
        if RESERVED.contains(&name) && !message {
            return Err(Refusal::new(token.offset, format!("`{name}` is a reserved word")));
        }
        if self.take("(") {
            let arguments = self.arguments()?;
            if !rooted {
                macros::check_global_call(name, &arguments)?;
            }
            let depth = arguments
                .iter()
                .map(|argument| argument.depth)
                .max()
                .unwrap_or_default();
            return Ok(Piece::new(Shape::Other, offset, depth));
        }
        self.uses_old_self |= name == "oldSelf";
        self.variables.push(Variable { name, offset });
        Ok(Piece {
            dotted_name: true,
            ..Piece::new(Shape::Identifier(name), offset, 0)
        })
    }

    /// The items of a list, up to and with the closing bracket; a comma may stand before it.
    fn list(&mut self, offset: usize) -> Result<Piece<'a>, Refusal> {
        let mut depth = 0;
        while !self.closes("]") {
            self.take("?");
            depth = depth.max(self.expression()?.depth);
            if !self.take(",") {
                self.expect("]")?;
                return Ok(Piece::new(Shape::Other, offset, depth));
            }
        }
        Ok(Piece::new(Shape::Other, offset, depth))
    }

    /// The entries of a map, up to and with the closing brace; a comma may stand before it.
    fn map(&mut self, offset: usize) -> Result<Piece<'a>, Refusal> {
        let mut depth = 0;
        while !self.closes("}") {
            self.take("?");
            depth = depth.max(self.expression()?.depth);
            self.expect(":")?;
            depth = depth.max(self.expression()?.depth);
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Piece::new(Shape::Other, offset, depth))
    }

    /// The fields of a message, up to and with the closing brace; a comma may stand before it.
    fn message(&mut self, offset: usize) -> Result<Piece<'a>, Refusal> {
        let mut depth = 0;
        while !self.closes("}") {
            self.take("?");
            if !matches!(self.peek().kind, Kind::Identifier | Kind::EscapedIdentifier) {
                return Err(self.unexpected("the name of a field"));
            }
            self.next();
            self.expect(":")?;
            depth = depth.max(self.expression()?.depth);
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Piece::new(Shape::Other, offset, depth))
    }

    /// Whether a list, map or message ends here. An empty one may hold a lone comma.
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

const LOGICAL_OR: u8 = 1;
const LOGICAL_AND: u8 = 2;

/// How tight an operator binds; nothing for what is none.
fn precedence(kind: Kind) -> Option<u8> {
    let Kind::Symbol(symbol) = kind else { return None };
    match symbol {
        "||" => Some(LOGICAL_OR),
        "&&" => Some(LOGICAL_AND),
        "<" | "<=" | ">=" | ">" | "==" | "!=" | "in" => Some(3),
        "+" | "-" => Some(4),
        "*" | "/" | "%" => Some(5),
        _ => None,
    }
}

/// Numbers that can have a sign.
fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Float)
}
