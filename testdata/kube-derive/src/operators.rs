//! Idioms of public operators.

use std::borrow::Cow;

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Checks on newtypes, types inside functions, and whole objects inside others.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Guild", namespaced)]
pub struct GuildSpec {
    pub name: Name,
    pub transparent: Transparent,
    pub described: Described,
    pub choice: Choice,
    pub computed: Computed,
    pub replaced: Replaced,
    pub benches: Vec<Bench>,
    pub wrapped: Wrapped<Bench>,
    #[serde(default)]
    pub generic: Generic,
    #[serde(default)]
    pub generic_of_numbers: Generic<i32>,
    pub defaults: ByFunction,
    pub local: Local,
    #[schemars(schema_with = "by_conversion")]
    pub by_conversion: String,
    #[schemars(schema_with = "by_attempt")]
    pub by_attempt: String,
    #[schemars(schema_with = "by_text")]
    pub by_text: String,
    #[schemars(schema_with = "by_constant")]
    pub by_constant: String,
    #[schemars(schema_with = "by_change")]
    pub by_change: Leaf,
    #[schemars(schema_with = "of_type::<Leaf>")]
    pub by_argument: Leaf,
    #[schemars(schema_with = "by_call")]
    pub by_call: Vec<Leaf>,
}

/// A bench.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Bench",
    status = "Leaf"
)]
pub struct BenchSpec {
    pub seats: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Name(#[schemars(length(min = 1, max = 63), regex(pattern = r"^[a-z]+$"))] pub String);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Transparent {
    #[schemars(range(min = 1, max = 5))]
    pub inner: i64,
}

/// The text of the type.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Described(
    /// The text of the value.
    #[schemars(length(max = 3), inner(length(min = 1)))]
    pub Vec<String>,
);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    Text(#[schemars(length(min = 2))] String),
    Number(#[schemars(range(max = 9))] i32),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(schema_with = "by_conversion")]
pub struct Computed(pub Value);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "Leaf")]
pub struct Replaced(pub Value);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wrapped<T> {
    pub inner: T,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Leaf {
    #[serde(default)]
    pub veins: i32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Generic<I: Default = String, L: Default = Leaf> {
    #[serde(default)]
    pub items: Vec<I>,
    #[serde(default)]
    pub leaf: L,
    pub other: Inner<I>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Inner<I: Default> {
    #[serde(default)]
    pub item: I,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default = "by_function")]
pub struct ByFunction {
    pub count: i32,
    pub word: String,
}

fn by_function() -> ByFunction {
    ByFunction {
        count: 3,
        word: "three".to_owned(),
    }
}

/// The schema is that of a type inside the function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Local(pub Value);

impl JsonSchema for Local {
    fn schema_name() -> Cow<'static, str> {
        "Local".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        /// The text of the helper.
        #[derive(JsonSchema)]
        #[allow(dead_code)]
        struct Helper {
            name: String,
            #[schemars(length(max = 3))]
            other: Option<String>,
            leaf: Leaf,
            side: Side,
        }
        #[derive(JsonSchema)]
        #[schemars(rename_all = "lowercase")]
        #[allow(dead_code)]
        enum Side {
            Left,
            Right,
        }
        Helper::json_schema(generator)
    }
}

fn by_conversion(_: &mut SchemaGenerator) -> Schema {
    json!({ "type": "string", "maxLength": 5 }).try_into().unwrap()
}

fn by_attempt(_: &mut SchemaGenerator) -> Schema {
    let value = json!({ "type": "string", "maxLength": 6 });
    Schema::try_from(value).expect("a schema")
}

fn by_text(_: &mut SchemaGenerator) -> Schema {
    serde_json::from_str(r#"{ "type": "string", "maxLength": 7 }"#).unwrap()
}

const TEXT: &str = r#"{ "type": "string", "enum": ["a", "b"] }"#;

fn by_constant(_: &mut SchemaGenerator) -> Schema {
    serde_json::from_str::<Schema>(TEXT).expect("valid JSON")
}

fn by_change(generator: &mut SchemaGenerator) -> Schema {
    #[expect(
        clippy::needless_borrows_for_generic_args,
        reason = "this is how operators write it"
    )]
    let mut value = serde_json::to_value(&Leaf::json_schema(generator)).unwrap();
    value["description"] = json!("changed");
    serde_json::from_value(value).unwrap()
}

fn of_type<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    T::json_schema(generator)
}

fn by_call(generator: &mut SchemaGenerator) -> Schema {
    of_type::<Vec<Leaf>>(generator)
}
