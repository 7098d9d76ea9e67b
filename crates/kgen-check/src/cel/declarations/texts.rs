//! Functions on texts, some of which lists have too.

use super::Signature::{List, Map};
use super::{A, B, BOOL, BYTES, DYN, Function, INT, TEXT, function, global, member};

pub(super) const FUNCTIONS: &[Function] = &[
    function("charAt", &[member("string_char_at_int", &[TEXT, INT], TEXT)]),
    function("contains", &[member("contains_string", &[TEXT, TEXT], BOOL)]),
    function("endsWith", &[member("ends_with_string", &[TEXT, TEXT], BOOL)]),
    function("find", &[member("string_find_string", &[TEXT, TEXT], TEXT)]),
    function(
        "findAll",
        &[
            member("string_find_all_string", &[TEXT, TEXT], List(&TEXT)),
            member("string_find_all_string_int", &[TEXT, TEXT, INT], List(&TEXT)),
        ],
    ),
    function("format", &[member("string_format", &[TEXT, List(&DYN)], TEXT)]),
    function(
        "indexOf",
        &[
            member("string_index_of_string", &[TEXT, TEXT], INT),
            member("string_index_of_string_int", &[TEXT, TEXT, INT], INT),
            member("list_a_index_of_int", &[List(&A), A], INT),
        ],
    ),
    function(
        "join",
        &[
            member("list_join", &[List(&TEXT)], TEXT),
            member("list_join_string", &[List(&TEXT), TEXT], TEXT),
        ],
    ),
    function(
        "lastIndexOf",
        &[
            member("string_last_index_of_string", &[TEXT, TEXT], INT),
            member("string_last_index_of_string_int", &[TEXT, TEXT, INT], INT),
            member("list_a_last_index_of_int", &[List(&A), A], INT),
        ],
    ),
    function("lowerAscii", &[member("string_lower_ascii", &[TEXT], TEXT)]),
    function(
        "matches",
        &[
            global("matches", &[TEXT, TEXT], BOOL),
            member("matches_string", &[TEXT, TEXT], BOOL),
        ],
    ),
    function(
        "replace",
        &[
            member("string_replace_string_string", &[TEXT, TEXT, TEXT], TEXT),
            member("string_replace_string_string_int", &[TEXT, TEXT, TEXT, INT], TEXT),
        ],
    ),
    function(
        "size",
        &[
            global("size_bytes", &[BYTES], INT),
            member("bytes_size", &[BYTES], INT),
            global("size_list", &[List(&A)], INT),
            member("list_size", &[List(&A)], INT),
            global("size_map", &[Map(&A, &B)], INT),
            member("map_size", &[Map(&A, &B)], INT),
            global("size_string", &[TEXT], INT),
            member("string_size", &[TEXT], INT),
        ],
    ),
    function(
        "split",
        &[
            member("string_split_string", &[TEXT, TEXT], List(&TEXT)),
            member("string_split_string_int", &[TEXT, TEXT, INT], List(&TEXT)),
        ],
    ),
    function("startsWith", &[member("starts_with_string", &[TEXT, TEXT], BOOL)]),
    function("strings.quote", &[global("strings_quote", &[TEXT], TEXT)]),
    function(
        "substring",
        &[
            member("string_substring_int", &[TEXT, INT], TEXT),
            member("string_substring_int_int", &[TEXT, INT, INT], TEXT),
        ],
    ),
    function("trim", &[member("string_trim", &[TEXT], TEXT)]),
    function("upperAscii", &[member("string_upper_ascii", &[TEXT], TEXT)]),
];
