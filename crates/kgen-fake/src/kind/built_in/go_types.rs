//! Built-in objects as the structs of Go read them: types, ranges of integers, bytes, times and quantities.
//!
//! A value that a struct cannot hold is refused with Go's message. Quantities, times, bytes and empty fields are written as Go
//! writes them. `data/fields.json` has the fields that Go leaves out or writes if they are empty; the README of the crate's test
//! data says where it comes from.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use kgen_cel::go_time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::SCHEMAS;
use crate::go_word::go_word;

/// How a struct of Go writes its empty fields.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Empty {
    /// These are left out.
    omitted: Vec<String>,
    /// These are written, with their empty values.
    shown: BTreeMap<String, Value>,
}

/// The structs by the names of their schemas.
static EMPTY: LazyLock<BTreeMap<String, Empty>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/fields.json")).unwrap_or_default());

/// Base64 as Go reads it: bits that do not belong to a byte are ignored.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

const TIME: &str = "2006-01-02T15:04:05Z07:00";
const MICRO_TIME: &str = "2006-01-02T15:04:05.000000Z07:00";

/// Reads an object of a type such as `apps/v1/Deployment`. Returns the first mistake.
pub(super) fn read(type_name: &str, object: &mut Value) -> Result<(), String> {
    let (kinds, schemas) = &*SCHEMAS;
    let Some((name, schema)) = kinds.get(type_name).and_then(|name| schemas.get_key_value(name)) else {
        return Ok(());
    };
    let mut reader = Reader {
        structure: short(name),
        path: Vec::new(),
    };
    let Value::Object(fields) = object else {
        return Ok(());
    };
    // The metadata of every object is read elsewhere.
    reader.fields(name, schema, fields, |key| {
        !kgen_schema::META_FIELDS.contains(&key)
    })
}

/// Returns the name of a struct: `PodSpec` for `io.k8s.api.core.v1.PodSpec`.
fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

/// Where a value is.
struct Reader<'s> {
    structure: &'s str,
    path: Vec<String>,
}

impl<'s> Reader<'s> {
    /// Reads the fields of a struct, and writes those that are empty as Go does.
    fn fields(
        &mut self,
        name: &str,
        schema: &'s Value,
        fields: &mut Map<String, Value>,
        is_read: impl Fn(&str) -> bool,
    ) -> Result<(), String> {
        let property = |key: &str| {
            schema
                .pointer("/properties")
                .and_then(|properties| properties.get(key))
        };
        for (key, value) in fields.iter_mut() {
            if let Some(inner) = property(key).filter(|_| is_read(key)) {
                self.field(key, value, inner)?;
            }
        }
        let Some(empty) = EMPTY.get(name) else {
            return Ok(());
        };
        let is_zero = |value: &Value| match value {
            Value::Bool(value) => !value,
            Value::Number(number) => number.as_i64() == Some(0),
            Value::String(text) => text.is_empty(),
            value => value.is_null(),
        };
        for key in empty.omitted.iter().filter(|key| is_read(key)) {
            if fields.get(key).is_some_and(is_zero) {
                fields.remove(key);
            }
        }
        for (key, value) in empty.shown.iter().filter(|(key, _)| is_read(key)) {
            let found = fields.get(key);
            let is_missing = found.is_none_or(Value::is_null)
                || (value.is_null() && found.is_some_and(|found| *found == Value::Array(Vec::new())));
            if is_missing {
                let mut value = value.clone();
                if let Some(inner) = property(key) {
                    self.field(key, &mut value, inner)?;
                }
                fields.insert(key.clone(), value);
            }
        }
        Ok(())
    }

    fn field(&mut self, key: &str, value: &mut Value, schema: &'s Value) -> Result<(), String> {
        self.path.push(key.to_owned());
        let read = self.value(value, schema);
        self.path.pop();
        read
    }

    fn value(&mut self, value: &mut Value, schema: &'s Value) -> Result<(), String> {
        let name = schema.get("$ref").and_then(Value::as_str).unwrap_or_default();
        match short(name) {
            "" => {}
            "Quantity" => return quantity(value),
            "IntOrString" => return self.int_or_string(value),
            "Time" if !value.is_string() && !value.is_null() => return self.refuse(value, "string"),
            "MicroTime" if !value.is_string() && !value.is_null() => return self.refuse(value, "string"),
            "Time" => return time(value, TIME),
            "MicroTime" => return time(value, MICRO_TIME),
            _ => return self.structure(value, name),
        }
        if value.is_null() {
            return Ok(());
        }
        let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
        match (text("type"), text("format")) {
            ("array", _) => {
                let items = schema.get("items").unwrap_or(&Value::Null);
                let Value::Array(values) = value else {
                    return self.refuse(value, &go_type(schema));
                };
                values.iter_mut().try_for_each(|value| self.value(value, items))
            }
            ("object", _) => {
                let Value::Object(values) = value else {
                    return self.refuse(value, &go_type(schema));
                };
                let Some(inner) = schema.get("additionalProperties") else {
                    return Ok(());
                };
                let is_text = inner.get("type").is_some_and(|kind| kind == "string");
                let is_amount = inner
                    .get("$ref")
                    .and_then(Value::as_str)
                    .is_some_and(|name| short(name) == "Quantity");
                for value in values.values_mut() {
                    if value.is_null() && is_text {
                        *value = Value::from("");
                    }
                    self.value(value, inner)?;
                    if is_amount {
                        round(value);
                    }
                }
                Ok(())
            }
            ("string", "byte") => self.bytes(value),
            ("string", _) if !value.is_string() => self.refuse(value, "string"),
            ("boolean", _) if !value.is_boolean() => self.refuse(value, "bool"),
            ("integer", format) => self.integer(value, format),
            ("number", _) if !value.is_number() => self.refuse(value, "float64"),
            _ => Ok(()),
        }
    }

    /// Reads a value that a named schema describes.
    fn structure(&mut self, value: &mut Value, name: &str) -> Result<(), String> {
        let Some((name, schema)) = SCHEMAS.1.get_key_value(name) else {
            return Ok(());
        };
        if value.is_null() || schema.get("properties").is_none() {
            return Ok(());
        }
        let Value::Object(fields) = value else {
            return self.refuse(value, &qualified(name));
        };
        let outer = std::mem::replace(&mut self.structure, short(name));
        let read = self.fields(name, schema, fields, |_| true);
        self.structure = outer;
        read
    }

    fn integer(&self, value: &Value, format: &str) -> Result<(), String> {
        let Value::Number(number) = value else {
            return self.refuse(value, format);
        };
        let fits = |number: i64| format != "int32" || i32::try_from(number).is_ok();
        if number.as_i64().is_some_and(fits) {
            return Ok(());
        }
        Err(self.message(&format!("number {number}"), format))
    }

    fn bytes(&self, value: &mut Value) -> Result<(), String> {
        let Value::String(text) = value else {
            return self.refuse(value, "[]uint8");
        };
        let plain: String = text
            .chars()
            .filter(|letter| !matches!(letter, '\r' | '\n'))
            .collect();
        let bytes = BASE64
            .decode(&plain)
            .map_err(|error| format!("illegal base64 data at input byte {}", illegal(&plain, &error)))?;
        *text = base64::engine::general_purpose::STANDARD.encode(bytes);
        Ok(())
    }

    fn int_or_string(&self, value: &Value) -> Result<(), String> {
        if value.is_string() || value.is_null() {
            return Ok(());
        }
        self.integer(value, "int32")
    }

    fn refuse(&self, value: &Value, wanted: &str) -> Result<(), String> {
        Err(self.message(go_word(value), wanted))
    }

    fn message(&self, found: &str, wanted: &str) -> String {
        format!(
            "json: cannot unmarshal {found} into Go struct field {}.{} of type {wanted}",
            self.structure,
            self.path.join(".")
        )
    }
}

/// Returns the position that Go names for a mistake in base64.
fn illegal(text: &str, error: &base64::DecodeError) -> usize {
    match error {
        // Go complains about the letter behind the padding, if there can be padding.
        base64::DecodeError::InvalidByte(position, b'=') if position % 4 > 1 => text.len().min(position + 1),
        base64::DecodeError::InvalidByte(position, _) => *position,
        _ => text.trim_end_matches('=').len() / 4 * 4,
    }
}

/// Returns a type in Go: `v1.PodSpec` for `io.k8s.api.core.v1.PodSpec`.
fn qualified(name: &str) -> String {
    let mut parts = name.rsplit('.');
    let (name, package) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    format!("{package}.{name}")
}

fn go_type(schema: &Value) -> String {
    let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
    let inner = |key: &str| go_type(schema.get(key).unwrap_or(&Value::Null));
    match (text("$ref"), text("type"), text("format")) {
        ("", "array", _) => format!("[]{}", inner("items")),
        ("", "object", _) => format!("map[string]{}", inner("additionalProperties")),
        ("", "string", "byte") => "[]uint8".to_owned(),
        ("", "boolean", _) => "bool".to_owned(),
        ("", "integer", format) => format.to_owned(),
        ("", kind, _) => kind.to_owned(),
        (name, ..) => qualified(name),
    }
}

fn quantity(value: &mut Value) -> Result<(), String> {
    let text = match &*value {
        Value::Null => "0".to_owned(),
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    *value = Value::from(kgen_cel::canonical_quantity(&text)?);
    Ok(())
}

/// Rounds the amount of a resource up to thousandths.
fn round(value: &mut Value) {
    let Some(text) = value.as_str() else { return };
    let unit = match text.chars().last() {
        Some('u') => 1_000,
        Some('n') => 1_000_000,
        _ => return,
    };
    let digits = text
        .get(..text.len() - 1)
        .and_then(|digits| digits.parse::<i64>().ok());
    let Some(amount) = digits else { return };
    let thousandths = (amount.abs() + unit - 1) / unit * amount.signum();
    if let Ok(text) = kgen_cel::canonical_quantity(&format!("{thousandths}m")) {
        *value = Value::from(text);
    }
}

fn time(value: &mut Value, layout: &'static str) -> Result<(), String> {
    let Value::String(text) = value else {
        return Ok(());
    };
    if let Some((rest, element)) = unparsed(text, layout) {
        return Err(format!(
            "parsing time {} as {}: cannot parse {} as {}",
            kgen_schema::quoted(text),
            kgen_schema::quoted(layout),
            kgen_schema::quoted(rest),
            kgen_schema::quoted(element)
        ));
    }
    let Some(parsed) = Timestamp::parse(text) else {
        return Err(format!(
            "parsing time {}: day out of range",
            kgen_schema::quoted(text)
        ));
    };
    let seconds = parsed.utc_seconds().to_string();
    *text = match text.split_once('.') {
        Some((_, rest)) if layout == MICRO_TIME => {
            let fraction = rest.get(..6).unwrap_or_default();
            format!("{}.{fraction}Z", seconds.trim_end_matches('Z'))
        }
        _ => seconds,
    };
    Ok(())
}

/// Returns the rest of a text that is not a time, and the element of the layout that it does not have.
fn unparsed<'t>(text: &'t str, layout: &'static str) -> Option<(&'t str, &'static str)> {
    let mut rest = text;
    for element in ["2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"] {
        let length = element.len();
        let is_number = element.starts_with(|letter: char| letter.is_ascii_digit());
        let part = rest.get(..length).unwrap_or_default();
        let fits = if is_number {
            part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
        } else {
            part == element
        };
        if !fits {
            return Some((rest, element));
        }
        rest = rest.get(length..)?;
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let fraction = rest.strip_prefix(['.', ',']).map_or(0, digits);
    if layout == MICRO_TIME {
        if fraction < 6 {
            return Some((rest, ".000000"));
        }
        rest = rest.get(7..)?;
    } else if fraction > 0 {
        rest = rest.get(fraction + 1..)?;
    }
    let is_zone = rest == "Z"
        || rest.strip_prefix(['+', '-']).is_some_and(|zone| {
            let parts = zone.split_once(':');
            parts.is_some_and(|(hours, minutes)| {
                (hours.len(), minutes.len()) == (2, 2) && digits(hours) + digits(minutes) == 4
            })
        });
    (!is_zone).then_some((rest, "Z07:00"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mistake(type_name: &str, mut object: Value) -> String {
        read(type_name, &mut object).expect_err("the object has a mistake")
    }

    #[test]
    fn values_are_written_as_in_go() {
        let mut pod = json!({"spec": {"containers": [{"tty": false, "resources": {
            "limits": {"cpu": 1, "memory": "1024Mi"}, "requests": {"cpu": "0.0001"},
        }}]}, "status": {"conditions": [{"type": "Ready"}]}});
        read("v1/Pod", &mut pod).unwrap();
        let condition =
            json!({"type": "Ready", "status": "", "lastProbeTime": null, "lastTransitionTime": null});
        assert_eq!(pod["status"]["conditions"][0], condition);
        assert_eq!(pod["spec"]["containers"][0].get("tty"), None);
        let resources = json!({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "1m"}});
        assert_eq!(pod["spec"]["containers"][0]["resources"], resources);
        let mut lease = json!({"spec": {"renewTime": "2026-01-01T01:00:00.123456+01:00"}});
        read("coordination.k8s.io/v1/Lease", &mut lease).unwrap();
        assert_eq!(lease["spec"]["renewTime"], "2026-01-01T00:00:00.123456Z");
        let mut secret = json!({"data": {"a": "aGl=", "b": "aG\nk="}});
        read("v1/Secret", &mut secret).unwrap();
        assert_eq!(secret["data"], json!({"a": "aGk=", "b": "aGk="}));
    }

    #[test]
    fn mistakes_have_the_messages_of_go() {
        for (type_name, object, expected) in [
            (
                "apps/v1/Deployment",
                json!({"spec": {"replicas": 99_999_999_999_i64}}),
                "json: cannot unmarshal number 99999999999 into Go struct field DeploymentSpec.spec.replicas of type int32",
            ),
            (
                "v1/ConfigMap",
                json!({"data": {"a": 1}}),
                "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
            ),
            (
                "v1/Pod",
                json!({"spec": {"containers": {}}}),
                "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
            ),
            (
                "v1/Secret",
                json!({"data": {"a": "not base64"}}),
                "illegal base64 data at input byte 3",
            ),
            (
                "coordination.k8s.io/v1/Lease",
                json!({"spec": {"renewTime": "2026-01-01T00:00:00Z"}}),
                "parsing time \"2026-01-01T00:00:00Z\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"Z\" as \
                 \".000000\"",
            ),
            (
                "v1/Event",
                json!({"firstTimestamp": "yesterday"}),
                "parsing time \"yesterday\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"yesterday\" as \"2006\"",
            ),
            (
                "v1/Service",
                json!({"spec": {"ports": [{"targetPort": true}]}}),
                "json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32",
            ),
        ] {
            assert_eq!(mistake(type_name, object), expected);
        }
    }
}
