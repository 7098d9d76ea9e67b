//! Markers of typed clients.

use std::ops::Range;

use kgen_diagnostics::{Code, Spanned, nearest};
use kgen_model::{ClientMethod, MethodType, Verb};

use crate::definition::markers;
use crate::kind::state;
use crate::marker::{Outcome, Place};
use crate::value::{Error, Located, Parser, TextFix, Value, ValueType};

markers! {
    family "client" "Typed clients";

    /// Generates a typed client for the kind.
    ///
    /// ```
    /// // +genclient
    /// pub struct Foo {}
    /// ```
    "genclient" on [Kind] => Genclient {}
    apply kind |marker, kind| kind.client.wanted = Some(marker.place.span());

    /// Makes the client cluster-scoped.
    ///
    /// ```
    /// // +genclient
    /// // +genclient:nonNamespaced
    /// pub struct Foo {}
    /// ```
    "genclient:nonNamespaced" on [Kind] => NonNamespaced {}
    apply kind |marker, kind| kind.client.non_namespaced = Some(marker.place.span());

    /// Removes all verbs from the client; only custom methods remain.
    ///
    /// ```
    /// // +genclient
    /// // +genclient:noVerbs
    /// pub struct Foo {}
    /// ```
    "genclient:noVerbs" on [Kind] with [contradicts(&["genclient:onlyVerbs", "genclient:skipVerbs", "genclient:readonly"])] => NoVerbs {}
    apply kind |marker, kind| kind.client.no_verbs = Some(marker.place.span());

    /// Removes the status verbs from the client.
    ///
    /// ```
    /// // +genclient
    /// // +genclient:noStatus
    /// pub struct Foo {}
    /// ```
    "genclient:noStatus" on [Kind] => NoStatus {}
    apply kind |marker, kind| kind.client.no_status = Some(marker.place.span());

    /// Limits the client to the verbs get, list and watch.
    ///
    /// ```
    /// // +genclient
    /// // +genclient:readonly
    /// pub struct Foo {}
    /// ```
    "genclient:readonly" on [Kind] with [contradicts(&["genclient:skipVerbs"])] => ReadOnly {}
    apply kind |marker, kind| kind.client.read_only = Some(marker.place.span());

    /// Limits the client to these verbs.
    ///
    /// ```
    /// // +genclient
    /// // +genclient:onlyVerbs=get,list,watch
    /// pub struct Foo {}
    /// ```
    "genclient:onlyVerbs" on [Kind] with [contradicts(&["genclient:skipVerbs"])] => OnlyVerbs {
        /// The verbs.
        "=" verbs: Located<Verbs>,
    }
    apply kind |marker, kind| kind.client.only_verbs = Some(spanned_verbs(&marker.place, &marker.verbs));

    /// Removes these verbs from the client.
    ///
    /// ```
    /// // +genclient
    /// // +genclient:skipVerbs=delete,deleteCollection
    /// pub struct Foo {}
    /// ```
    "genclient:skipVerbs" on [Kind] => SkipVerbs {
        /// The verbs.
        "=" verbs: Located<Verbs>,
    }
    apply kind |marker, kind| kind.client.skip_verbs = Some(spanned_verbs(&marker.place, &marker.verbs));

    /// Adds a method to the client, usually for a subresource.
    ///
    /// ```
    /// // +genclient
    /// // +genclient:method=GetScale,verb=get,subresource=scale,result=Scale
    /// pub struct Foo {}
    /// ```
    "genclient:method" on [Kind] with [repeatable] => Method {
        /// Name of the method.
        "=" name: Located<String>,
        /// Verb: create, update, get, list, patch or apply.
        "verb" verb: Located<String>,
        /// The subresource that it addresses.
        "subresource" subresource: Option<String>,
        /// Type that it sends, for create, update and apply.
        "input" input: Option<Located<String>>,
        /// Type that it returns, for create, update, get, list, patch and apply.
        "result" result: Option<Located<String>>,
    }
    apply kind |marker, kind| {
        let verb = marker.checked_verb()?;
        kind.client.methods.push(ClientMethod {
            name: marker.name.value.clone(),
            verb,
            subresource: marker.subresource.clone(),
            input: marker.input.as_ref().map(|input| method_type(&marker.place, input)),
            result: marker.result.as_ref().map(|result| method_type(&marker.place, result)),
            span: marker.place.span(),
        });
    };

    /// Plural of the kind in URLs, if it is not the default one.
    ///
    /// ```
    /// // +genclient
    /// // +resourceName=foos
    /// pub struct Foo {}
    /// ```
    "resourceName" on [Kind] => ResourceName {
        /// The plural.
        "=" value: Located<String>,
    }
    apply kind |marker, kind| {
        let name = marker.place.spanned(&marker.value);
        state(&marker.place, &mut kind.client.resource_name, name, "resource name")?;
    };

    /// Old spelling of `genclient:nonNamespaced`.
    ///
    /// ```
    /// // +nonNamespaced=true
    /// pub struct Foo {}
    /// ```
    "nonNamespaced" on [Anywhere] with [refused("is no longer read", "write `+genclient:nonNamespaced`")] => OldNonNamespaced {}

    /// Old spelling of `genclient:readonly`.
    ///
    /// ```
    /// // +readonly=true
    /// pub struct Foo {}
    /// ```
    "readonly" on [Anywhere] with [refused("is no longer read", "write `+genclient:readonly`")] => OldReadOnly {}
}

/// Verbs of a client, separated by commas.
#[derive(Clone, Debug)]
struct Verbs(Vec<Verb>);

impl Value for Verbs {
    const TYPE: ValueType = ValueType::Verbs;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let mut verbs = Vec::new();
        loop {
            parser.skip_blanks();
            let (start, rest) = (parser.position(), parser.rest());
            let length = rest
                .find(|c: char| matches!(c, ',' | ';') || c.is_whitespace())
                .unwrap_or(rest.len());
            let word = rest.get(..length).unwrap_or_default();
            if word.is_empty() {
                let end = rest.chars().next().map_or(start, |next| start + next.len_utf8());
                return Err(Error::value(start..end, "a verb is missing here"));
            }
            let Some(verb) = Verb::from_word(word) else {
                return Err(unknown_verb(start..start + length, word));
            };
            if verbs.contains(&verb) {
                return Err(Error::value(
                    start..start + length,
                    format!("verb `{word}` is listed twice"),
                ));
            }
            verbs.push(verb);
            parser.jump(start + length);
            parser.skip_blanks();
            if parser.peek() == Some(';') {
                let at = parser.position();
                return Err(
                    Error::value(at..at + 1, "verbs of clients must be separated by commas")
                        .help("write `get,list`")
                        .with_fix(TextFix::replace(at..at + 1, ",")),
                );
            }
            if !parser.take(',') {
                return Ok(Self(verbs));
            }
        }
    }

    fn write(&self) -> Option<String> {
        let words: Vec<_> = self.0.iter().map(|verb| verb.word()).collect();
        Some(words.join(","))
    }
}

fn unknown_verb(range: Range<usize>, word: &str) -> Error {
    let words: Vec<_> = Verb::ALL.iter().map(|verb| verb.word()).collect();
    let error = Error::value(range.clone(), format!("there is no client verb `{word}`"));
    let error = error.near(range, nearest(word, words.iter().copied()));
    error.help(format!("the verbs are {}", crate::value::quoted_list(&words)))
}

fn spanned_verbs(place: &Place, verbs: &Located<Verbs>) -> Spanned<Vec<Verb>> {
    Spanned::new(verbs.value.0.clone(), place.span_of(&verbs.range))
}

fn method_type(place: &Place, name: &Located<String>) -> MethodType {
    MethodType {
        name: name.value.clone(),
        span: place.span_of(&name.range),
        rust: None,
    }
}

impl Method {
    /// Returns the verb, or the problem of a method whose parts do not fit together.
    fn checked_verb(&self) -> Result<Verb, kgen_diagnostics::Problem> {
        let place = &self.place;
        check_identifier(place, &self.name)?;
        let word = self.verb.value.as_str();
        let Some(verb) = Verb::from_word(word) else {
            let error = unknown_verb(self.verb.range.clone(), word);
            return Err(error.at(|range| place.span_of(&range)));
        };
        let (input, result) = match verb {
            Verb::Create | Verb::Update | Verb::Apply => (true, true),
            Verb::Get | Verb::List | Verb::Patch => (false, true),
            _ => {
                let message = format!("a custom method cannot have the verb `{word}`");
                return Err(place
                    .problem_at(&self.verb.range, Code::MarkerValue, message)
                    .help("use create, update, get, list, patch or apply"));
            }
        };
        for (allowed, argument, name) in [(input, &self.input, "input"), (result, &self.result, "result")] {
            if let Some(found) = argument.as_ref().filter(|_| !allowed) {
                let message = format!("a method with the verb `{word}` does not have `{name}`");
                return Err(place.problem_at(&found.range, Code::MarkerArgument, message));
            }
        }
        Ok(verb)
    }
}

fn check_identifier(place: &Place, name: &Located<String>) -> Outcome {
    let text = name.value.as_str();
    let fits = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if fits {
        return Ok(());
    }
    Err(place.problem_at(
        &name.range,
        Code::MarkerValue,
        format!("`{text}` cannot be the name of a method"),
    ))
}
