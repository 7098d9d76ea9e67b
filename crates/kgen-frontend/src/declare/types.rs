//! Types as they are written: paths with arguments, references, arrays, tuples.

use kgen_diagnostics::Span;
use syn::{Expr, GenericArgument, Lit, PathArguments, Type};

use super::Source;
use super::lower::{placed_name, span_of};

/// A type, unresolved.
#[derive(Clone, Debug)]
pub(crate) struct TypeExpression {
    pub(crate) span: Span,
    pub(crate) kind: TypeExpressionKind,
}

/// The form of a written type.
#[derive(Clone, Debug)]
pub(crate) enum TypeExpressionKind {
    Path(PathExpression),
    /// The target of a reference.
    Reference(Box<TypeExpression>),
    Slice(Box<TypeExpression>),
    Array(Box<TypeExpression>, ArrayLength),
    Tuple(Vec<TypeExpression>),
    /// A value among type arguments, by its place.
    Constant,
    /// A function pointer, a trait object, a macro, …
    Other(&'static str),
}

/// The length of an array.
#[derive(Clone, Debug)]
pub(crate) enum ArrayLength {
    Literal(u64),
    /// A constant or a computation, by its place.
    Expression(Span),
}

/// A path such as `crate::api::Foo<T>`.
#[derive(Clone, Debug)]
pub(crate) struct PathExpression {
    /// Whether it starts with `::`.
    pub(crate) absolute: bool,
    pub(crate) segments: Vec<PathSegment>,
}

/// One name of a path with its type arguments.
#[derive(Clone, Debug)]
pub(crate) struct PathSegment {
    pub(crate) name: String,
    pub(crate) arguments: Vec<TypeExpression>,
}

impl PathExpression {
    /// Returns the path as it is written, without arguments.
    pub(crate) fn text(&self) -> String {
        let names: Vec<_> = self
            .segments
            .iter()
            .map(|segment| segment.name.as_str())
            .collect();
        format!("{}{}", if self.absolute { "::" } else { "" }, names.join("::"))
    }
}

/// The words for `<T as Trait>::A`.
pub(crate) const ASSOCIATED_TYPE: &str = "an associated type";

/// Reads a type out of a string, such as the value of `#[serde(from = "…")]`. Its places are all `span`.
pub(crate) fn parse_type(text: &str, span: Span) -> Option<TypeExpression> {
    let parsed: Type = super::lower::parse_text(text)?;
    let mut lowered = lower(&parsed, Source::new(span.file, text));
    set_spans(&mut lowered, span);
    Some(lowered)
}

fn set_spans(expression: &mut TypeExpression, span: Span) {
    expression.span = span;
    match &mut expression.kind {
        TypeExpressionKind::Path(path) => {
            for argument in path
                .segments
                .iter_mut()
                .flat_map(|segment| &mut segment.arguments)
            {
                set_spans(argument, span);
            }
        }
        TypeExpressionKind::Reference(inner) | TypeExpressionKind::Slice(inner) => set_spans(inner, span),
        TypeExpressionKind::Array(inner, _) => set_spans(inner, span),
        TypeExpressionKind::Tuple(list) => list.iter_mut().for_each(|inner| set_spans(inner, span)),
        TypeExpressionKind::Constant | TypeExpressionKind::Other(_) => {}
    }
}

/// Lowers a type.
pub(super) fn lower(parsed: &Type, source: Source<'_>) -> TypeExpression {
    let other = |what| TypeExpression {
        span: slow_span(parsed, source),
        kind: TypeExpressionKind::Other(what),
    };
    match parsed {
        Type::Path(path) if path.qself.is_none() => lower_path(&path.path, source),
        Type::Path(_) => other(ASSOCIATED_TYPE),
        Type::Reference(reference) => {
            let inner = lower(&reference.elem, source);
            let span = span_of(source, reference.and_token.span).to(inner.span);
            TypeExpression {
                span,
                kind: TypeExpressionKind::Reference(Box::new(inner)),
            }
        }
        Type::Slice(slice) => {
            let span = span_of(source, slice.bracket_token.span.join());
            TypeExpression {
                span,
                kind: TypeExpressionKind::Slice(Box::new(lower(&slice.elem, source))),
            }
        }
        Type::Array(array) => {
            let span = span_of(source, array.bracket_token.span.join());
            let length = array_length(&array.len, source);
            TypeExpression {
                span,
                kind: TypeExpressionKind::Array(Box::new(lower(&array.elem, source)), length),
            }
        }
        Type::Tuple(tuple) => {
            let span = span_of(source, tuple.paren_token.span.join());
            let elements = tuple.elems.iter().map(|element| lower(element, source)).collect();
            TypeExpression {
                span,
                kind: TypeExpressionKind::Tuple(elements),
            }
        }
        Type::Paren(paren) => lower(&paren.elem, source),
        Type::Group(group) => lower(&group.elem, source),
        Type::FnPtr(_) => other("a function pointer"),
        Type::TraitObject(_) => other("a trait object"),
        Type::ImplTrait(_) => other("an `impl Trait`"),
        Type::Macro(_) => other("a macro call"),
        Type::Never(_) => other("the never type"),
        Type::Ptr(_) => other("a raw pointer"),
        _ => other("such a type"),
    }
}

fn lower_path(path: &syn::Path, source: Source<'_>) -> TypeExpression {
    let mut span = None::<Span>;
    let mut extend = |next: Span| span = Some(span.map_or(next, |known| known.to(next)));
    if let Some(colons) = &path.leading_colon {
        extend(span_of(source, colons.spans[0]));
    }
    let mut segments = Vec::with_capacity(path.segments.len());
    for segment in &path.segments {
        let (name, name_span) = placed_name(&segment.ident, source);
        extend(name_span);
        let mut arguments = Vec::new();
        match &segment.arguments {
            PathArguments::None => {}
            PathArguments::AngleBracketed(brackets) => {
                extend(span_of(source, brackets.gt_token.span));
                arguments.reserve_exact(brackets.args.len());
                arguments.extend(brackets.args.iter().filter_map(|argument| match argument {
                    GenericArgument::Type(inner) => Some(lower(inner, source)),
                    GenericArgument::Const(value) => Some(TypeExpression {
                        span: span_of(source, syn::spanned::Spanned::span(value)),
                        kind: TypeExpressionKind::Constant,
                    }),
                    _ => None,
                }));
            }
            PathArguments::Parenthesized(parentheses) => {
                extend(span_of(source, parentheses.paren_token.span.close()))
            }
        }
        segments.push(PathSegment { name, arguments });
    }
    TypeExpression {
        span: span.unwrap_or(Span::new(source.file, 0, 0)),
        kind: TypeExpressionKind::Path(PathExpression {
            absolute: path.leading_colon.is_some(),
            segments,
        }),
    }
}

fn array_length(length: &Expr, source: Source<'_>) -> ArrayLength {
    if let Expr::Lit(literal) = length
        && let Lit::Int(integer) = &literal.lit
        && let Ok(value) = integer.base10_parse()
    {
        return ArrayLength::Literal(value);
    }
    ArrayLength::Expression(span_of(source, syn::spanned::Spanned::span(length)))
}

/// Returns the place of a type without a single first and last token. This is rare, so it may print the tokens.
fn slow_span(parsed: &Type, source: Source<'_>) -> Span {
    span_of(source, syn::spanned::Spanned::span(parsed))
}
