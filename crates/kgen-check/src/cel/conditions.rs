//! Conditions on requests, which decide whether a webhook is asked.
//!
//! Mirrors the compiler of the API server for `matchConditions`: objects can be anything, the request has the fields of an
//! admission request. Who may do what (`authorizer`) is left to the API server.

use std::sync::{Arc, LazyLock};

use kgen_model::{JsonType, Schema};
use kgen_threads::on_large_stack;

use super::checker::check_condition;
use super::declared::Declared;
use super::lexer::place_in;
use super::mistake::Mistake;
use super::{HIGH, parser, wrong_result};

/// What is wrong with a condition.
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) help: String,
}

/// What a request is. The names of kinds and resources are maps here: two of them have one type and can be compared.
static REQUEST: LazyLock<Schema> = LazyLock::new(|| {
    let text = || Schema::of_type(JsonType::String);
    let texts = || Schema::array_of(text());
    let names = || Schema::map_of(text());
    let user = object([
        ("username", text()),
        ("uid", text()),
        ("groups", texts()),
        ("extra", Schema::map_of(texts())),
    ]);
    object([
        ("kind", names()),
        ("resource", names()),
        ("subResource", text()),
        ("requestKind", names()),
        ("requestResource", names()),
        ("requestSubResource", text()),
        ("name", text()),
        ("namespace", text()),
        ("operation", text()),
        ("userInfo", user),
        ("dryRun", Schema::of_type(JsonType::Boolean)),
        // Anything.
        ("options", Schema::int_or_string()),
    ])
});

fn object<const N: usize>(fields: [(&str, Schema); N]) -> Schema {
    let properties = fields.map(|(name, schema)| (name.to_owned(), Arc::new(schema)));
    Schema {
        properties: properties.into(),
        ..Schema::of_type(JsonType::Object)
    }
}

/// Why the API server would refuse a condition, called `what` in the message.
pub(crate) fn condition_refusal(what: &str, expression: &str) -> Option<Refusal> {
    let tree = match parser::parse(expression) {
        Ok(tree) => tree,
        Err(refusal) => {
            return Some(Refusal {
                message: refusal.text(what, expression),
                help: "the API server takes only what CEL can parse".to_owned(),
            });
        }
    };
    let root = tree.root()?;
    let request = Declared::of(&REQUEST, false)?;
    if expression.contains("authorizer") {
        return None;
    }
    let is_high = tree.height(root) > HIGH;
    let work = || {
        let (checked, mistake) = check_condition(tree, root, request);
        mistake.or_else(|| {
            let wrong = wrong_result(&checked, true)?;
            let help = "compare it with something, as in `object.spec.size > 0`".to_owned();
            Some(Mistake {
                help: Some(help),
                ..wrong
            })
        })
    };
    let mistake = if is_high { on_large_stack(work) } else { work() }?;
    let column = mistake.offset.map_or_else(String::new, |offset| {
        format!(", at {}", place_in(expression, offset))
    });
    Some(Refusal {
        message: format!("the {what} is wrong{column}: {}", mistake.message),
        help: mistake.help.unwrap_or_else(|| {
            "the API server knows what a request is, and refuses a condition that cannot hold for any"
                .to_owned()
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second line is what `k8s.io/apiserver` v0.37.2 says of the condition above it.
    const CONDITIONS: &str = include_str!("../../testdata/cel/conditions.txt");

    #[test]
    fn the_api_server_says_the_same_of_conditions() {
        let mut lines = CONDITIONS.lines();
        let mut count = 0;
        while let (Some(condition), Some(verdict)) = (lines.next(), lines.next()) {
            let found = condition_refusal("condition", condition).map(|refusal| refusal.message);
            assert_eq!(
                found.is_none(),
                verdict.trim_start() == "accepted",
                "{condition}: {verdict}, and here {found:?}"
            );
            count += 1;
        }
        assert!(count > 50, "only {count} conditions were found");
    }
}
