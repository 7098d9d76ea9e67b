//! Functions on lists, sets, maps and optional values.

use super::Signature::{List, Map, Optional};
use super::{
    A, B, BOOL, BYTES, DOUBLE, DURATION, DYN, Function, INT, TEXT, TIMESTAMP, UINT, function, global, member,
};

pub(super) const FUNCTIONS: &[Function] = &[
    function(
        "@sortByAssociatedKeys",
        &[
            member("list_int_sortByAssociatedKeys", &[List(&A), List(&INT)], List(&A)),
            member(
                "list_uint_sortByAssociatedKeys",
                &[List(&A), List(&UINT)],
                List(&A),
            ),
            member(
                "list_double_sortByAssociatedKeys",
                &[List(&A), List(&DOUBLE)],
                List(&A),
            ),
            member(
                "list_bool_sortByAssociatedKeys",
                &[List(&A), List(&BOOL)],
                List(&A),
            ),
            member(
                "list_google.protobuf.Duration_sortByAssociatedKeys",
                &[List(&A), List(&DURATION)],
                List(&A),
            ),
            member(
                "list_google.protobuf.Timestamp_sortByAssociatedKeys",
                &[List(&A), List(&TIMESTAMP)],
                List(&A),
            ),
            member(
                "list_string_sortByAssociatedKeys",
                &[List(&A), List(&TEXT)],
                List(&A),
            ),
            member(
                "list_bytes_sortByAssociatedKeys",
                &[List(&A), List(&BYTES)],
                List(&A),
            ),
        ],
    ),
    function(
        "cel.@mapInsert",
        &[
            global("@mapInsert_map_key_value", &[Map(&A, &B), A, B], Map(&A, &B)),
            global("@mapInsert_map_map", &[Map(&A, &B), Map(&A, &B)], Map(&A, &B)),
        ],
    ),
    function("distinct", &[member("list_distinct", &[List(&A)], List(&A))]),
    function("first", &[member("list_first", &[List(&A)], Optional(&A))]),
    function(
        "flatten",
        &[
            member("list_flatten", &[List(&List(&A))], List(&A)),
            member("list_flatten_int", &[List(&DYN), INT], List(&DYN)),
        ],
    ),
    function("hasValue", &[member("optional_hasValue", &[Optional(&A)], BOOL)]),
    function("includes", &[member("list_includes_dyn_dyn", &[DYN, DYN], BOOL)]),
    function(
        "isSorted",
        &[
            member("list_int_is_sorted_bool", &[List(&INT)], BOOL),
            member("list_uint_is_sorted_bool", &[List(&UINT)], BOOL),
            member("list_double_is_sorted_bool", &[List(&DOUBLE)], BOOL),
            member("list_bool_is_sorted_bool", &[List(&BOOL)], BOOL),
            member("list_duration_is_sorted_bool", &[List(&DURATION)], BOOL),
            member("list_timestamp_is_sorted_bool", &[List(&TIMESTAMP)], BOOL),
            member("list_string_is_sorted_bool", &[List(&TEXT)], BOOL),
            member("list_bytes_is_sorted_bool", &[List(&BYTES)], BOOL),
        ],
    ),
    function("last", &[member("list_last", &[List(&A)], Optional(&A))]),
    function("lists.range", &[global("lists_range", &[INT], List(&INT))]),
    function(
        "max",
        &[
            member("list_int_max_int", &[List(&INT)], INT),
            member("list_uint_max_uint", &[List(&UINT)], UINT),
            member("list_double_max_double", &[List(&DOUBLE)], DOUBLE),
            member("list_bool_max_bool", &[List(&BOOL)], BOOL),
            member("list_duration_max_duration", &[List(&DURATION)], DURATION),
            member("list_timestamp_max_timestamp", &[List(&TIMESTAMP)], TIMESTAMP),
            member("list_string_max_string", &[List(&TEXT)], TEXT),
            member("list_bytes_max_bytes", &[List(&BYTES)], BYTES),
        ],
    ),
    function(
        "min",
        &[
            member("list_int_min_int", &[List(&INT)], INT),
            member("list_uint_min_uint", &[List(&UINT)], UINT),
            member("list_double_min_double", &[List(&DOUBLE)], DOUBLE),
            member("list_bool_min_bool", &[List(&BOOL)], BOOL),
            member("list_duration_min_duration", &[List(&DURATION)], DURATION),
            member("list_timestamp_min_timestamp", &[List(&TIMESTAMP)], TIMESTAMP),
            member("list_string_min_string", &[List(&TEXT)], TEXT),
            member("list_bytes_min_bytes", &[List(&BYTES)], BYTES),
        ],
    ),
    function("optional.none", &[global("optional_none", &[], Optional(&A))]),
    function("optional.of", &[global("optional_of", &[A], Optional(&A))]),
    function(
        "optional.ofNonZeroValue",
        &[global("optional_ofNonZeroValue", &[A], Optional(&A))],
    ),
    function(
        "optional.unwrap",
        &[global("optional_unwrap", &[List(&Optional(&A))], List(&A))],
    ),
    function(
        "or",
        &[member(
            "optional_or_optional",
            &[Optional(&A), Optional(&A)],
            Optional(&A),
        )],
    ),
    function(
        "orValue",
        &[member("optional_orValue_value", &[Optional(&A), A], A)],
    ),
    function("reverse", &[member("list_reverse", &[List(&A)], List(&A))]),
    function(
        "sets.contains",
        &[global("list_sets_contains_list", &[List(&A), List(&A)], BOOL)],
    ),
    function(
        "sets.equivalent",
        &[global("list_sets_equivalent_list", &[List(&A), List(&A)], BOOL)],
    ),
    function(
        "sets.intersects",
        &[global("list_sets_intersects_list", &[List(&A), List(&A)], BOOL)],
    ),
    function("slice", &[member("list_slice", &[List(&A), INT, INT], List(&A))]),
    function(
        "sort",
        &[
            member("list_int_sort", &[List(&INT)], List(&INT)),
            member("list_uint_sort", &[List(&UINT)], List(&UINT)),
            member("list_double_sort", &[List(&DOUBLE)], List(&DOUBLE)),
            member("list_bool_sort", &[List(&BOOL)], List(&BOOL)),
            member(
                "list_google.protobuf.Duration_sort",
                &[List(&DURATION)],
                List(&DURATION),
            ),
            member(
                "list_google.protobuf.Timestamp_sort",
                &[List(&TIMESTAMP)],
                List(&TIMESTAMP),
            ),
            member("list_string_sort", &[List(&TEXT)], List(&TEXT)),
            member("list_bytes_sort", &[List(&BYTES)], List(&BYTES)),
        ],
    ),
    function(
        "sum",
        &[
            member("list_int_sum_int", &[List(&INT)], INT),
            member("list_uint_sum_uint", &[List(&UINT)], UINT),
            member("list_double_sum_double", &[List(&DOUBLE)], DOUBLE),
            member("list_duration_sum_duration", &[List(&DURATION)], DURATION),
        ],
    ),
    function(
        "unwrapOpt",
        &[member("optional_unwrapOpt", &[List(&Optional(&A))], List(&A))],
    ),
    function("value", &[member("optional_value", &[Optional(&A)], A)]),
];
