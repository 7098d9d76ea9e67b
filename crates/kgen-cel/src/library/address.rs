//! IP addresses and networks as Go's `net/netip` reads them, with its messages.

use std::fmt::{self, Display};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::go_text::quoted;

/// Parses an address for CEL, which allows neither zones nor version 4 addresses in version 6.
pub(crate) fn parse_ip(text: &str) -> Result<IpAddr, String> {
    let (address, zone) = parse_address(text).map_err(|error| {
        format!(
            "IP Address {} parse error during conversion from string: {error}",
            quoted(text)
        )
    })?;
    if !zone.is_empty() {
        return Err(format!(
            "IP address {} with zone value is not allowed",
            quoted(text)
        ));
    }
    refuse_mapped(address, text)
}

fn refuse_mapped(address: IpAddr, text: &str) -> Result<IpAddr, String> {
    match address {
        IpAddr::V6(address) if address.to_ipv4_mapped().is_some() => Err(format!(
            "IPv4-mapped IPv6 address {} is not allowed",
            quoted(text)
        )),
        address => Ok(address),
    }
}

/// Parses an address. Returns it with its zone, which is empty if there is none.
pub(crate) fn parse_address(text: &str) -> Result<(IpAddr, &str), String> {
    let error = match text.find(['.', ':', '%']).and_then(|place| text.get(place..)) {
        Some(rest) if rest.starts_with('.') => {
            return parse_v4(text, text).map(|bytes| (IpAddr::V4(Ipv4Addr::from(bytes)), ""));
        }
        Some(rest) if rest.starts_with(':') => {
            return parse_v6(text).map(|(address, zone)| (IpAddr::V6(address), zone));
        }
        Some(_) => "missing IPv6 address",
        None => "unable to parse IP",
    };
    Err(address_error(text, error, ""))
}

fn address_error(text: &str, message: &str, at: &str) -> String {
    let text = quoted(text);
    if at.is_empty() {
        format!("ParseAddr({text}): {message}")
    } else {
        format!("ParseAddr({text}): {message} (at {})", quoted(at))
    }
}

/// Parses the four numbers in `fields`, a part of `whole`.
fn parse_v4(whole: &str, fields: &str) -> Result<[u8; 4], String> {
    let fail = |message: &str, at: &str| Err(address_error(whole, message, at));
    let (mut bytes, mut position) = ([0; 4], 0);
    let (mut value, mut digits) = (0_u16, 0);
    let mut after_dot = true;
    for (place, letter) in fields.char_indices() {
        let rest = fields.get(place..).unwrap_or_default();
        match letter {
            '0'..='9' => {
                if digits == 1 && value == 0 {
                    return fail("IPv4 field has octet with leading zero", "");
                }
                value = value * 10 + (letter as u16 - '0' as u16);
                digits += 1;
                if value > 255 {
                    return fail("IPv4 field has value >255", "");
                }
                after_dot = false;
            }
            '.' => {
                if after_dot || rest.len() == 1 {
                    return fail("IPv4 field must have at least one digit", rest);
                }
                if position == 3 {
                    return fail("IPv4 address too long", "");
                }
                if let Some(byte) = bytes.get_mut(position) {
                    *byte = value as u8;
                }
                position += 1;
                (value, digits, after_dot) = (0, 0, true);
            }
            _ => return fail("unexpected character", rest),
        }
    }
    if position < 3 {
        return fail("IPv4 address too short", "");
    }
    bytes[3] = value as u8;
    Ok(bytes)
}

/// The state of parsing a version 6 address.
struct V6 {
    bytes: [u8; 16],
    /// The number of bytes that are known.
    count: usize,
    /// The number of bytes before `::`.
    ellipsis: Option<usize>,
}

fn parse_v6(text: &str) -> Result<(Ipv6Addr, &str), String> {
    let fail = |message: &str, at: &str| Err(address_error(text, message, at));
    let (address, zone) = match text.split_once('%') {
        Some((_, "")) => return fail("zone must be a non-empty string", ""),
        Some((address, zone)) => (address, zone),
        None => (text, ""),
    };
    let mut state = V6 {
        bytes: [0; 16],
        count: 0,
        ellipsis: None,
    };
    let mut rest = address;
    if let Some(behind) = rest.strip_prefix("::") {
        state.ellipsis = Some(0);
        rest = behind;
        if rest.is_empty() {
            return Ok((Ipv6Addr::UNSPECIFIED, zone));
        }
    }
    while state.count < 16 {
        let behind = rest.trim_start_matches(|letter: char| letter.is_ascii_hexdigit());
        let digits = rest.get(..rest.len() - behind.len()).unwrap_or_default();
        if digits.len() > 4 {
            return fail("each group must have 4 or less digits", rest);
        }
        if digits.is_empty() {
            return fail("each colon-separated field must have at least one digit", rest);
        }
        if behind.starts_with('.') {
            if state.ellipsis.is_none() && state.count != 12 {
                return fail(
                    "embedded IPv4 address must replace the final 2 fields of the address",
                    rest,
                );
            }
            if state.count > 12 {
                return fail(
                    "too many hex fields to fit an embedded IPv4 at the end of the address",
                    rest,
                );
            }
            state.push(&parse_v4(text, rest)?);
            rest = "";
            break;
        }
        state.push(&u16::from_str_radix(digits, 16).unwrap_or_default().to_be_bytes());
        rest = behind;
        if rest.is_empty() {
            break;
        }
        let Some(behind) = rest.strip_prefix(':') else {
            return fail("unexpected character, want colon", rest);
        };
        if behind.is_empty() {
            return fail("colon must be followed by more characters", rest);
        }
        rest = behind;
        if let Some(behind) = rest.strip_prefix(':') {
            if state.ellipsis.is_some() {
                return fail("multiple :: in address", rest);
            }
            state.ellipsis = Some(state.count);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return fail("trailing garbage after address", rest);
    }
    match (state.count, state.ellipsis) {
        (16, Some(_)) => fail("the :: must expand to at least one field of zeros", ""),
        (16, None) => Ok((Ipv6Addr::from(state.bytes), zone)),
        (_, None) => fail("address string too short", ""),
        (count, Some(ellipsis)) => {
            if let Some(behind) = state.bytes.get_mut(ellipsis..) {
                // The bytes behind `::` move to the end, and zeros take their place.
                behind.rotate_right(16 - count);
            }
            Ok((Ipv6Addr::from(state.bytes), zone))
        }
    }
}

impl V6 {
    fn push(&mut self, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(self.count..self.count + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.count += bytes.len();
    }
}

/// A network: an address, and the number of its bits that are common to all addresses of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cidr {
    pub(crate) address: IpAddr,
    pub(crate) bits: u8,
}

impl Cidr {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let fail = |message: &str| {
            Err(format!(
                "network address parse error during conversion from string: netip.ParsePrefix({}): {message}",
                quoted(text)
            ))
        };
        let Some((address, bits)) = text.rsplit_once('/') else {
            return fail("no '/'");
        };
        let (address, zone) = match parse_address(address) {
            Ok(parsed) => parsed,
            Err(error) => return fail(&error),
        };
        if !zone.is_empty() {
            return fail("IPv6 zones cannot be present in a prefix");
        }
        let is_number = bits.bytes().all(|byte| byte.is_ascii_digit())
            && !(bits.len() > 1 && bits.starts_with('0'))
            && !bits.is_empty();
        // Go reads a number of 64 bits.
        if !is_number || bits.parse::<i64>().is_err() {
            return fail(&format!("bad bits after slash: {}", quoted(bits)));
        }
        match bits.parse::<u8>() {
            Ok(bits) if bits <= width(address) => Ok(Self {
                address: refuse_mapped(address, text)?,
                bits,
            }),
            _ => fail("prefix length out of range"),
        }
    }

    /// Returns the network with only its common bits set.
    pub(crate) fn masked(self) -> Self {
        let address = match self.address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
            }
        };
        Self {
            address,
            bits: self.bits,
        }
    }

    pub(crate) fn contains(self, address: IpAddr) -> bool {
        let other = Self {
            address,
            bits: self.bits,
        };
        width(self.address) == width(address) && self.masked().address == other.masked().address
    }

    pub(crate) fn contains_network(self, other: Self) -> bool {
        self.bits <= other.bits && self.contains(other.address)
    }
}

impl Display for Cidr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.address, self.bits)
    }
}

/// Returns the number of bits of an address.
pub(crate) fn width(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

pub(crate) fn is_link_local_unicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.segments()[0] & 0xffc0 == 0xfe80,
    }
}

pub(crate) fn is_link_local_multicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.octets().starts_with(&[224, 0, 0]),
        IpAddr::V6(address) => address.segments()[0] & 0xff0f == 0xff02,
    }
}

/// Returns whether an address is none of the special ones. Private addresses count as global.
pub(crate) fn is_global_unicast(address: IpAddr) -> bool {
    let is_broadcast = address == IpAddr::V4(Ipv4Addr::BROADCAST);
    !(is_broadcast
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || is_link_local_unicast(address))
}
