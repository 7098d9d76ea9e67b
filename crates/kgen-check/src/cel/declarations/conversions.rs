//! Conversions between types, and the parts of times and durations.

use super::Signature::Type;
use super::{
    A, BOOL, BYTES, CIDR, DOUBLE, DURATION, DYN, Function, INT, IP, TEXT, TIMESTAMP, UINT, function, global,
    member,
};

pub(super) const FUNCTIONS: &[Function] = &[
    function(
        "bool",
        &[
            global("bool_to_bool", &[BOOL], BOOL),
            global("string_to_bool", &[TEXT], BOOL),
        ],
    ),
    function(
        "bytes",
        &[
            global("bytes_to_bytes", &[BYTES], BYTES),
            global("string_to_bytes", &[TEXT], BYTES),
        ],
    ),
    function(
        "double",
        &[
            global("double_to_double", &[DOUBLE], DOUBLE),
            global("int64_to_double", &[INT], DOUBLE),
            global("string_to_double", &[TEXT], DOUBLE),
            global("uint64_to_double", &[UINT], DOUBLE),
        ],
    ),
    function(
        "duration",
        &[
            global("duration_to_duration", &[DURATION], DURATION),
            global("string_to_duration", &[TEXT], DURATION),
            global("int64_to_duration", &[INT], DURATION),
        ],
    ),
    function("dyn", &[global("to_dyn", &[A], DYN)]),
    function(
        "getDate",
        &[
            member("timestamp_to_day_of_month_1_based", &[TIMESTAMP], INT),
            member(
                "timestamp_to_day_of_month_1_based_with_tz",
                &[TIMESTAMP, TEXT],
                INT,
            ),
        ],
    ),
    function(
        "getDayOfMonth",
        &[
            member("timestamp_to_day_of_month", &[TIMESTAMP], INT),
            member("timestamp_to_day_of_month_with_tz", &[TIMESTAMP, TEXT], INT),
        ],
    ),
    function(
        "getDayOfWeek",
        &[
            member("timestamp_to_day_of_week", &[TIMESTAMP], INT),
            member("timestamp_to_day_of_week_with_tz", &[TIMESTAMP, TEXT], INT),
        ],
    ),
    function(
        "getDayOfYear",
        &[
            member("timestamp_to_day_of_year", &[TIMESTAMP], INT),
            member("timestamp_to_day_of_year_with_tz", &[TIMESTAMP, TEXT], INT),
        ],
    ),
    function(
        "getFullYear",
        &[
            member("timestamp_to_year", &[TIMESTAMP], INT),
            member("timestamp_to_year_with_tz", &[TIMESTAMP, TEXT], INT),
        ],
    ),
    function(
        "getHours",
        &[
            member("timestamp_to_hours", &[TIMESTAMP], INT),
            member("timestamp_to_hours_with_tz", &[TIMESTAMP, TEXT], INT),
            member("duration_to_hours", &[DURATION], INT),
        ],
    ),
    function(
        "getMilliseconds",
        &[
            member("timestamp_to_milliseconds", &[TIMESTAMP], INT),
            member("timestamp_to_milliseconds_with_tz", &[TIMESTAMP, TEXT], INT),
            member("duration_to_milliseconds", &[DURATION], INT),
        ],
    ),
    function(
        "getMinutes",
        &[
            member("timestamp_to_minutes", &[TIMESTAMP], INT),
            member("timestamp_to_minutes_with_tz", &[TIMESTAMP, TEXT], INT),
            member("duration_to_minutes", &[DURATION], INT),
        ],
    ),
    function(
        "getMonth",
        &[
            member("timestamp_to_month", &[TIMESTAMP], INT),
            member("timestamp_to_month_with_tz", &[TIMESTAMP, TEXT], INT),
        ],
    ),
    function(
        "getSeconds",
        &[
            member("timestamp_to_seconds", &[TIMESTAMP], INT),
            member("timestamp_to_seconds_tz", &[TIMESTAMP, TEXT], INT),
            member("duration_to_seconds", &[DURATION], INT),
        ],
    ),
    function(
        "int",
        &[
            global("int64_to_int64", &[INT], INT),
            global("double_to_int64", &[DOUBLE], INT),
            global("duration_to_int64", &[DURATION], INT),
            global("string_to_int64", &[TEXT], INT),
            global("timestamp_to_int64", &[TIMESTAMP], INT),
            global("uint64_to_int64", &[UINT], INT),
        ],
    ),
    function(
        "string",
        &[
            global("string_to_string", &[TEXT], TEXT),
            global("bool_to_string", &[BOOL], TEXT),
            global("bytes_to_string", &[BYTES], TEXT),
            global("double_to_string", &[DOUBLE], TEXT),
            global("duration_to_string", &[DURATION], TEXT),
            global("int64_to_string", &[INT], TEXT),
            global("timestamp_to_string", &[TIMESTAMP], TEXT),
            global("uint64_to_string", &[UINT], TEXT),
            global("ip_to_string", &[IP], TEXT),
            global("cidr_to_string", &[CIDR], TEXT),
        ],
    ),
    function(
        "timestamp",
        &[
            global("timestamp_to_timestamp", &[TIMESTAMP], TIMESTAMP),
            global("int64_to_timestamp", &[INT], TIMESTAMP),
            global("string_to_timestamp", &[TEXT], TIMESTAMP),
        ],
    ),
    function("type", &[global("type", &[A], Type(&A))]),
    function(
        "uint",
        &[
            global("uint64_to_uint64", &[UINT], UINT),
            global("double_to_uint64", &[DOUBLE], UINT),
            global("int64_to_uint64", &[INT], UINT),
            global("string_to_uint64", &[TEXT], UINT),
        ],
    ),
];
