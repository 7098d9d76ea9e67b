//! Digests of schemas, by which equal ones are found. Every schema is digested once, children before parents.

use kgen_model::{Constraints, JsonType, Schema};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::classes::address;

/// A digest that is the same on all machines, because files have some.
pub(crate) type Digest = u128;

/// The digests of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectDigests {
    /// Of everything except the parts that a field states.
    pub(crate) content: Digest,
    /// The same without descriptions, and without the constraints that a field can add.
    pub(crate) shape: Digest,
}

/// The digests of the objects in some schemas, by the address of the schema.
#[derive(Debug, Default)]
pub(crate) struct Digests(FxHashMap<usize, ObjectDigests>);

/// The digests that a parent needs.
struct Node {
    full: Digest,
    plain: Digest,
}

impl Digests {
    pub(crate) fn get(&self, schema: &Schema) -> Option<ObjectDigests> {
        self.0.get(&address(schema)).copied()
    }

    /// Digests a schema and everything inside of it.
    pub(crate) fn add(&mut self, schema: &Schema) {
        self.node(schema);
    }

    fn node(&mut self, schema: &Schema) -> Node {
        let mut full = Fnv::new();
        let mut plain = Fnv::new();
        for (name, property) in &schema.properties {
            let child = self.node(property);
            full.child(name, child.full);
            plain.child(name, child.plain);
        }
        let others = [
            ("[]", &schema.items),
            ("{}", &schema.additional_properties),
            ("!", &schema.not),
        ];
        for (name, child) in others {
            if let Some(child) = child {
                let child = self.node(child);
                full.child(name, child.full);
                plain.child(name, child.plain);
            }
        }
        let own = own_parts(schema);
        if schema.json_type == Some(JsonType::Object) {
            let used = without_use(&own);
            let free = Schema {
                constraints: Constraints::default().into(),
                ..used.clone()
            };
            let digests = ObjectDigests {
                content: full.clone().schema(&used, true).0,
                shape: plain.clone().schema(&free, false).0,
            };
            self.0.insert(address(schema), digests);
        }
        Node {
            full: full.schema(&own, true).0,
            plain: plain.schema(&own, false).0,
        }
    }
}

/// Returns a schema without its children.
fn own_parts(schema: &Schema) -> Schema {
    Schema {
        json_type: schema.json_type,
        implied_format: schema.implied_format,
        title: schema.title.clone(),
        description: schema.description.clone(),
        external_documentation: schema.external_documentation.clone(),
        default: schema.default.clone(),
        example: schema.example.clone(),
        required: schema.required.clone(),
        any_of: schema.any_of.clone(),
        one_of: schema.one_of.clone(),
        nullable: schema.nullable,
        preserve_unknown_fields: schema.preserve_unknown_fields,
        embedded_resource: schema.embedded_resource,
        int_or_string: schema.int_or_string,
        list_type: schema.list_type,
        list_map_keys: schema.list_map_keys.clone(),
        map_type: schema.map_type,
        constraints: schema.constraints.clone(),
        ..Schema::default()
    }
}

/// Returns a schema without the parts that only its uses state.
pub(crate) fn without_use(schema: &Schema) -> Schema {
    Schema {
        description: None,
        default: None,
        example: None,
        title: None,
        external_documentation: None,
        nullable: false,
        ..schema.clone()
    }
}

/// FNV-1a with 128 bits.
#[derive(Clone)]
struct Fnv(Digest);

impl Fnv {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 ^= Digest::from(*byte);
            self.0 = self.0.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    fn child(&mut self, name: &str, digest: Digest) {
        self.bytes(name.as_bytes());
        self.bytes(&[0]);
        self.bytes(&digest.to_le_bytes());
    }

    fn schema(mut self, schema: &Schema, has_descriptions: bool) -> Self {
        let json = schema.to_json(&|text| has_descriptions.then(|| text.to_owned()));
        self.bytes(Value::Object(json).to_string().as_bytes());
        self
    }
}

/// Returns the digest of a text, which is the same on all machines.
#[must_use]
pub fn digest(content: &[u8]) -> String {
    let mut hash = Fnv::new();
    hash.bytes(content);
    format!("{:032x}", hash.0)
}
