//! Operators, by the names that the parser gives them.

use super::Signature::{List, Map, Optional};
use super::{
    A, B, BOOL, BYTES, DOUBLE, DURATION, DYN, Function, INT, TEXT, TIMESTAMP, UINT, function, global,
};

pub(super) const FUNCTIONS: &[Function] = &[
    function("!_", &[global("logical_not", &[BOOL], BOOL)]),
    function(
        "-_",
        &[
            global("negate_double", &[DOUBLE], DOUBLE),
            global("negate_int64", &[INT], INT),
        ],
    ),
    function(
        "@in",
        &[
            global("in_list", &[A, List(&A)], BOOL),
            global("in_map", &[A, Map(&A, &B)], BOOL),
        ],
    ),
    function(
        "@not_strictly_false",
        &[global("not_strictly_false", &[BOOL], BOOL)],
    ),
    function("_!=_", &[global("not_equals", &[A, A], BOOL)]),
    function(
        "_%_",
        &[
            global("modulo_int64", &[INT, INT], INT),
            global("modulo_uint64", &[UINT, UINT], UINT),
        ],
    ),
    function("_&&_", &[global("logical_and", &[BOOL, BOOL], BOOL)]),
    function(
        "_*_",
        &[
            global("multiply_double", &[DOUBLE, DOUBLE], DOUBLE),
            global("multiply_int64", &[INT, INT], INT),
            global("multiply_uint64", &[UINT, UINT], UINT),
        ],
    ),
    function(
        "_+_",
        &[
            global("add_bytes", &[BYTES, BYTES], BYTES),
            global("add_double", &[DOUBLE, DOUBLE], DOUBLE),
            global("add_duration_duration", &[DURATION, DURATION], DURATION),
            global("add_duration_timestamp", &[DURATION, TIMESTAMP], TIMESTAMP),
            global("add_timestamp_duration", &[TIMESTAMP, DURATION], TIMESTAMP),
            global("add_int64", &[INT, INT], INT),
            global("add_list", &[List(&A), List(&A)], List(&A)),
            global("add_string", &[TEXT, TEXT], TEXT),
            global("add_uint64", &[UINT, UINT], UINT),
        ],
    ),
    function(
        "_-_",
        &[
            global("subtract_double", &[DOUBLE, DOUBLE], DOUBLE),
            global("subtract_duration_duration", &[DURATION, DURATION], DURATION),
            global("subtract_int64", &[INT, INT], INT),
            global("subtract_timestamp_duration", &[TIMESTAMP, DURATION], TIMESTAMP),
            global("subtract_timestamp_timestamp", &[TIMESTAMP, TIMESTAMP], DURATION),
            global("subtract_uint64", &[UINT, UINT], UINT),
        ],
    ),
    function(
        "_/_",
        &[
            global("divide_double", &[DOUBLE, DOUBLE], DOUBLE),
            global("divide_int64", &[INT, INT], INT),
            global("divide_uint64", &[UINT, UINT], UINT),
        ],
    ),
    function(
        "_<=_",
        &[
            global("less_equals_bool", &[BOOL, BOOL], BOOL),
            global("less_equals_int64", &[INT, INT], BOOL),
            global("less_equals_int64_double", &[INT, DOUBLE], BOOL),
            global("less_equals_int64_uint64", &[INT, UINT], BOOL),
            global("less_equals_uint64", &[UINT, UINT], BOOL),
            global("less_equals_uint64_double", &[UINT, DOUBLE], BOOL),
            global("less_equals_uint64_int64", &[UINT, INT], BOOL),
            global("less_equals_double", &[DOUBLE, DOUBLE], BOOL),
            global("less_equals_double_int64", &[DOUBLE, INT], BOOL),
            global("less_equals_double_uint64", &[DOUBLE, UINT], BOOL),
            global("less_equals_string", &[TEXT, TEXT], BOOL),
            global("less_equals_bytes", &[BYTES, BYTES], BOOL),
            global("less_equals_timestamp", &[TIMESTAMP, TIMESTAMP], BOOL),
            global("less_equals_duration", &[DURATION, DURATION], BOOL),
        ],
    ),
    function(
        "_<_",
        &[
            global("less_bool", &[BOOL, BOOL], BOOL),
            global("less_int64", &[INT, INT], BOOL),
            global("less_int64_double", &[INT, DOUBLE], BOOL),
            global("less_int64_uint64", &[INT, UINT], BOOL),
            global("less_uint64", &[UINT, UINT], BOOL),
            global("less_uint64_double", &[UINT, DOUBLE], BOOL),
            global("less_uint64_int64", &[UINT, INT], BOOL),
            global("less_double", &[DOUBLE, DOUBLE], BOOL),
            global("less_double_int64", &[DOUBLE, INT], BOOL),
            global("less_double_uint64", &[DOUBLE, UINT], BOOL),
            global("less_string", &[TEXT, TEXT], BOOL),
            global("less_bytes", &[BYTES, BYTES], BOOL),
            global("less_timestamp", &[TIMESTAMP, TIMESTAMP], BOOL),
            global("less_duration", &[DURATION, DURATION], BOOL),
        ],
    ),
    function("_==_", &[global("equals", &[A, A], BOOL)]),
    function(
        "_>=_",
        &[
            global("greater_equals_bool", &[BOOL, BOOL], BOOL),
            global("greater_equals_int64", &[INT, INT], BOOL),
            global("greater_equals_int64_double", &[INT, DOUBLE], BOOL),
            global("greater_equals_int64_uint64", &[INT, UINT], BOOL),
            global("greater_equals_uint64", &[UINT, UINT], BOOL),
            global("greater_equals_uint64_double", &[UINT, DOUBLE], BOOL),
            global("greater_equals_uint64_int64", &[UINT, INT], BOOL),
            global("greater_equals_double", &[DOUBLE, DOUBLE], BOOL),
            global("greater_equals_double_int64", &[DOUBLE, INT], BOOL),
            global("greater_equals_double_uint64", &[DOUBLE, UINT], BOOL),
            global("greater_equals_string", &[TEXT, TEXT], BOOL),
            global("greater_equals_bytes", &[BYTES, BYTES], BOOL),
            global("greater_equals_timestamp", &[TIMESTAMP, TIMESTAMP], BOOL),
            global("greater_equals_duration", &[DURATION, DURATION], BOOL),
        ],
    ),
    function(
        "_>_",
        &[
            global("greater_bool", &[BOOL, BOOL], BOOL),
            global("greater_int64", &[INT, INT], BOOL),
            global("greater_int64_double", &[INT, DOUBLE], BOOL),
            global("greater_int64_uint64", &[INT, UINT], BOOL),
            global("greater_uint64", &[UINT, UINT], BOOL),
            global("greater_uint64_double", &[UINT, DOUBLE], BOOL),
            global("greater_uint64_int64", &[UINT, INT], BOOL),
            global("greater_double", &[DOUBLE, DOUBLE], BOOL),
            global("greater_double_int64", &[DOUBLE, INT], BOOL),
            global("greater_double_uint64", &[DOUBLE, UINT], BOOL),
            global("greater_string", &[TEXT, TEXT], BOOL),
            global("greater_bytes", &[BYTES, BYTES], BOOL),
            global("greater_timestamp", &[TIMESTAMP, TIMESTAMP], BOOL),
            global("greater_duration", &[DURATION, DURATION], BOOL),
        ],
    ),
    function(
        "_?._",
        &[global("select_optional_field", &[DYN, TEXT], Optional(&A))],
    ),
    function("_?_:_", &[global("conditional", &[BOOL, A, A], A)]),
    function(
        "_[?_]",
        &[
            global("list_optindex_optional_int", &[List(&A), INT], Optional(&A)),
            global(
                "optional_list_optindex_optional_int",
                &[Optional(&List(&A)), INT],
                Optional(&A),
            ),
            global("map_optindex_optional_value", &[Map(&A, &B), A], Optional(&B)),
            global(
                "optional_map_optindex_optional_value",
                &[Optional(&Map(&A, &B)), A],
                Optional(&B),
            ),
        ],
    ),
    function(
        "_[_]",
        &[
            global("index_list", &[List(&A), INT], A),
            global("index_map", &[Map(&A, &B), A], B),
            global(
                "optional_list_index_int",
                &[Optional(&List(&A)), INT],
                Optional(&A),
            ),
            global(
                "optional_map_index_value",
                &[Optional(&Map(&A, &B)), A],
                Optional(&B),
            ),
        ],
    ),
    function("_||_", &[global("logical_or", &[BOOL, BOOL], BOOL)]),
];
