//! Named formats of strings, with the messages of the API machinery.

use crate::go_time::is_date;
use crate::object_names::{
    key_mistakes, label_1035_mistakes, label_mistakes, masked, subdomain_mistakes, value_mistakes,
};
use crate::text_formats::{is_base64, is_date_time, is_uuid};

use super::Url;

/// A format.
#[derive(Debug)]
pub(crate) struct Format {
    /// The name in expressions.
    pub(crate) name: &'static str,
    /// The name that values are compared by.
    pub(crate) own_name: &'static str,
    /// The length of the regular expression that the API server assumes for the cost.
    pub(crate) pattern_length: u64,
    mistakes: fn(&str) -> Vec<String>,
}

/// All formats.
static FORMATS: [Format; 13] = [
    format("byte", "byte", 84, |text| {
        single(is_base64(text), "invalid base64")
    }),
    format("date", "date", DATE_TIME, |text| {
        single(is_date(text), "invalid date")
    }),
    format("datetime", "datetime", DATE_TIME, |text| {
        single(is_date_time(text), "invalid datetime")
    }),
    format("dns1035Label", "DNS1035Label", 30, label_1035_mistakes),
    format("dns1035LabelPrefix", "DNS1035LabelPrefix", 30, |text| {
        label_1035_mistakes(&masked(text))
    }),
    format("dns1123Label", "DNS1123Label", 30, label_mistakes),
    format("dns1123LabelPrefix", "DNS1123LabelPrefix", 30, |text| {
        label_mistakes(&masked(text))
    }),
    format("dns1123Subdomain", "DNS1123Subdomain", 60, subdomain_mistakes),
    format("dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, |text| {
        subdomain_mistakes(&masked(text))
    }),
    format("labelValue", "LabelValue", 40, value_mistakes),
    format("qualifiedName", "QualifiedName", 60, key_mistakes),
    format("uri", "URI", 1103, |text| {
        Url::check_request(text).err().into_iter().collect()
    }),
    format("uuid", "uuid", 70, |text| {
        single(is_uuid(text, None, ""), "does not match the UUID format")
    }),
];

/// The length of the pattern of `date-time`.
const DATE_TIME: u64 = 71;

const fn format(
    name: &'static str,
    own_name: &'static str,
    pattern_length: u64,
    mistakes: fn(&str) -> Vec<String>,
) -> Format {
    Format {
        name,
        own_name,
        pattern_length,
        mistakes,
    }
}

fn single(is_valid: bool, mistake: &str) -> Vec<String> {
    if is_valid {
        Vec::new()
    } else {
        vec![mistake.to_owned()]
    }
}

impl Format {
    /// Returns the format with a name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the mistakes in a text.
    pub(crate) fn mistakes(&self, text: &str) -> Vec<String> {
        (self.mistakes)(text)
    }
}
