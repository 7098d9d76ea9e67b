//! Functions on addresses, networks, quantities, URLs, versions and formats.

use std::net::IpAddr;
use std::sync::Arc;

use crate::library::{
    Cidr, Format, Quantity, QuantityError, Url, Version, is_global_unicast, is_link_local_multicast,
    is_link_local_unicast, parse_ip,
};

use super::extension::{Extension, Kind};
use super::meter::Meter;
use super::{EvaluateError, Outcome, Value, fail_alike};

/// Calls a function. Returns `None` if it is not one of these.
pub(super) fn call(function: &str, values: &[Value], meter: &mut Meter) -> Option<Outcome> {
    match values {
        [] => return Some(Ok(format(function.strip_prefix("format.")?)?)),
        [Value::String(text), arguments @ ..] => return from_text(function, text, arguments),
        _ => {}
    }
    let [Value::Extension(Extension(kind)), arguments @ ..] = values else {
        return None;
    };
    match (kind, arguments) {
        (Kind::Ip(address), []) => of_address(function, *address),
        (Kind::Cidr(network), _) => of_network(function, *network, arguments),
        (Kind::Quantity { amount, .. }, []) => of_quantity(function, amount),
        (Kind::Quantity { amount, .. }, [other]) => of_quantities(function, amount, other),
        (Kind::Url(url), []) => of_url(function, url, meter),
        (Kind::Semver(version), _) => of_version(function, version, arguments),
        (Kind::Format(format), [Value::String(text)]) if function == "validate" => {
            let mistakes = format.mistakes(text);
            if mistakes.is_empty() {
                return Some(Ok(Value::Optional(None)));
            }
            let mistakes = mistakes.iter().map(|mistake| Value::text(mistake)).collect();
            Some(Ok(Value::some(Value::list(mistakes))))
        }
        _ => None,
    }
}

fn format(name: &str) -> Option<Value> {
    Some(Kind::Format(Format::named(name)?).into())
}

/// Reads a value from a text, or tests whether that is possible.
fn from_text(function: &str, text: &str, arguments: &[Value]) -> Option<Outcome> {
    let is_tolerant = match arguments {
        [] => false,
        [Value::Bool(tolerant)] if matches!(function, "semver" | "isSemver") => *tolerant,
        _ => return None,
    };
    let version = || {
        if is_tolerant {
            Version::parse_tolerantly(text)
        } else {
            Version::parse(text)
        }
    };
    Some(match function {
        "ip" => parsed(parse_ip(text).map(Kind::Ip)),
        "isIP" => Ok(Value::Bool(parse_ip(text).is_ok())),
        "ip.isCanonical" => match parse_ip(text) {
            Ok(address) => Ok(Value::Bool(address.to_string() == text)),
            Err(error) => fail_alike(error),
        },
        "cidr" => {
            let network = Cidr::parse(text);
            // Two functions of the API server add the same words.
            let context = "network address parse error during conversion from string: ";
            parsed(
                network
                    .map(Kind::Cidr)
                    .map_err(|error| format!("{context}{error}")),
            )
        }
        "isCIDR" => Ok(Value::Bool(Cidr::parse(text).is_ok())),
        "quantity" => match Quantity::parse(text) {
            Ok(amount) => Ok(Kind::Quantity {
                amount: Arc::new(amount),
                is_computed: false,
            }
            .into()),
            Err(QuantityError::Rejected(message)) => fail_alike(message),
            Err(QuantityError::TooLarge) => Err(EvaluateError::NotKnown),
        },
        "isQuantity" => match Quantity::parse(text) {
            Err(QuantityError::TooLarge) => Err(EvaluateError::NotKnown),
            quantity => Ok(Value::Bool(quantity.is_ok())),
        },
        "url" => parsed(Url::parse(text).map(|url| Kind::Url(Arc::new(url)))),
        "isURL" => Ok(Value::Bool(Url::check_request(text).is_ok())),
        "semver" => parsed(version().map(|version| Kind::Semver(Arc::new(version)))),
        "isSemver" => Ok(Value::Bool(version().is_ok())),
        "format.named" => Ok(Value::Optional(format(text).map(Arc::new))),
        _ => return None,
    })
}

fn parsed(kind: Result<Kind, String>) -> Outcome {
    match kind {
        Ok(kind) => Ok(kind.into()),
        Err(message) => fail_alike(message),
    }
}

fn of_address(function: &str, address: IpAddr) -> Option<Outcome> {
    Some(Ok(Value::Bool(match function {
        "family" => return Some(Ok(Value::Int(if address.is_ipv4() { 4 } else { 6 }))),
        "string" => return Some(Ok(Value::text(&address.to_string()))),
        "isUnspecified" => address.is_unspecified(),
        "isLoopback" => address.is_loopback(),
        "isLinkLocalMulticast" => is_link_local_multicast(address),
        "isLinkLocalUnicast" => is_link_local_unicast(address),
        "isGlobalUnicast" => is_global_unicast(address),
        _ => return None,
    })))
}

fn of_network(function: &str, network: Cidr, arguments: &[Value]) -> Option<Outcome> {
    Some(match (function, arguments) {
        ("ip", []) => Ok(Kind::Ip(network.address).into()),
        ("masked", []) => Ok(Kind::Cidr(network.masked()).into()),
        ("prefixLength", []) => Ok(Value::Int(i64::from(network.bits))),
        ("string", []) => Ok(Value::text(&network.to_string())),
        ("containsIP", [Value::Extension(Extension(Kind::Ip(address)))]) => {
            Ok(Value::Bool(network.contains(*address)))
        }
        ("containsIP", [Value::String(text)]) => match parse_ip(text) {
            Ok(address) => Ok(Value::Bool(network.contains(address))),
            // The API server loses the message.
            Err(_) => super::no_such_overload(),
        },
        ("containsCIDR", [Value::Extension(Extension(Kind::Cidr(other)))]) => {
            Ok(Value::Bool(network.contains_network(*other)))
        }
        ("containsCIDR", [Value::String(text)]) => match Cidr::parse(text) {
            Ok(other) => Ok(Value::Bool(network.contains_network(other))),
            Err(error) => fail_alike(format!(
                "network address parse error during conversion from string: {error}"
            )),
        },
        _ => return None,
    })
}

fn of_quantity(function: &str, amount: &Quantity) -> Option<Outcome> {
    Some(match function {
        "sign" => Ok(Value::Int(amount.sign())),
        "isInteger" => Ok(Value::Bool(amount.as_integer().is_some())),
        "asInteger" => match amount.as_integer() {
            Some(integer) => Ok(Value::Int(integer)),
            None => fail_alike("cannot convert value to integer"),
        },
        "asApproximateFloat" => Ok(Value::Double(amount.as_float())),
        _ => return None,
    })
}

fn of_quantities(function: &str, amount: &Quantity, other: &Value) -> Option<Outcome> {
    let integer;
    let other = match other {
        Value::Extension(Extension(Kind::Quantity { amount, .. })) => amount.as_ref(),
        Value::Int(value) if matches!(function, "add" | "sub") => {
            integer = Quantity::from_integer(*value);
            &integer
        }
        _ => return None,
    };
    let computed = match function {
        "add" => amount.add(other),
        "sub" => amount.subtract(other),
        "compareTo" => return Some(Ok(Value::Int(amount.compare(other) as i64))),
        "isLessThan" => return Some(Ok(Value::Bool(amount.compare(other).is_lt()))),
        "isGreaterThan" => return Some(Ok(Value::Bool(amount.compare(other).is_gt()))),
        _ => return None,
    };
    Some(match computed {
        Some(amount) => Ok(Kind::Quantity {
            amount: Arc::new(amount),
            is_computed: true,
        }
        .into()),
        None => Err(EvaluateError::NotKnown),
    })
}

fn of_url(function: &str, url: &Url, meter: &mut Meter) -> Option<Outcome> {
    Some(match function {
        "getScheme" => Ok(Value::text(&url.scheme)),
        "getHost" => text(url.host()),
        "getHostname" => text(url.host_name()),
        "getPort" => text(url.port()),
        "getEscapedPath" => Ok(Value::text(&url.escaped_path())),
        "getQuery" => query(url, meter),
        _ => return None,
    })
}

/// Converts bytes to a string. A string of Go can be other bytes than UTF-8, but a string of Rust cannot.
fn text(bytes: &[u8]) -> Outcome {
    std::str::from_utf8(bytes).map_or(Err(EvaluateError::NotKnown), |text| Ok(Value::text(text)))
}

fn query(url: &Url, meter: &mut Meter) -> Outcome {
    let query = url.query();
    meter.allocate_items(query.iter().map(|(_, values)| values.len() + 2).sum())?;
    let mut entries = Vec::with_capacity(query.len());
    for (key, values) in query {
        let values = values.iter().map(|value| text(value)).collect::<Outcome<_>>()?;
        entries.push((text(&key)?, Value::list(values)));
    }
    Ok(Value::Map(Arc::new(entries)))
}

fn of_version(function: &str, version: &Version, arguments: &[Value]) -> Option<Outcome> {
    let number = |number: u64| Some(Ok(Value::Int(number.cast_signed())));
    match (function, arguments) {
        ("major", []) => number(version.major),
        ("minor", []) => number(version.minor),
        ("patch", []) => number(version.patch),
        (_, [Value::Extension(Extension(Kind::Semver(other)))]) => {
            let order = version.compare(other);
            Some(Ok(match function {
                "compareTo" => Value::Int(order as i64),
                "isLessThan" => Value::Bool(order.is_lt()),
                "isGreaterThan" => Value::Bool(order.is_gt()),
                _ => return None,
            }))
        }
        _ => None,
    }
}
