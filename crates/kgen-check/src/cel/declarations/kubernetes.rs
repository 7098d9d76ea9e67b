//! Functions that Kubernetes adds to CEL: addresses, quantities, versions, formats, URLs and permissions.

use super::Signature::{List, Map, Optional};
use super::{
    AUTHORIZER, BOOL, CIDR, DECISION, DOUBLE, FORMAT, Function, GROUP_CHECK, INT, IP, PATH_CHECK, QUANTITY,
    RESOURCE_CHECK, SEMVER, TEXT, URL, function, global, member,
};

pub(super) const FUNCTIONS: &[Function] = &[
    function(
        "add",
        &[
            member("quantity_add", &[QUANTITY, QUANTITY], QUANTITY),
            member("quantity_add_int", &[QUANTITY, INT], QUANTITY),
        ],
    ),
    function("allowed", &[member("decision_allowed", &[DECISION], BOOL)]),
    function(
        "asApproximateFloat",
        &[member("quantity_get_float", &[QUANTITY], DOUBLE)],
    ),
    function("asInteger", &[member("quantity_get_int", &[QUANTITY], INT)]),
    function(
        "check",
        &[
            member("pathcheck_check", &[PATH_CHECK, TEXT], DECISION),
            member("resourcecheck_check", &[RESOURCE_CHECK, TEXT], DECISION),
        ],
    ),
    function("cidr", &[global("string_to_cidr", &[TEXT], CIDR)]),
    function(
        "compareTo",
        &[
            member("quantity_compare_to", &[QUANTITY, QUANTITY], INT),
            member("semver_compare_to", &[SEMVER, SEMVER], INT),
        ],
    ),
    function(
        "containsCIDR",
        &[
            member("cidr_contains_cidr_string", &[CIDR, TEXT], BOOL),
            member("cidr_contains_cidr", &[CIDR, CIDR], BOOL),
        ],
    ),
    function(
        "containsIP",
        &[
            member("cidr_contains_ip_string", &[CIDR, TEXT], BOOL),
            member("cidr_contains_ip_ip", &[CIDR, IP], BOOL),
        ],
    ),
    function("error", &[member("decision_error", &[DECISION], TEXT)]),
    function("errored", &[member("decision_errored", &[DECISION], BOOL)]),
    function("family", &[member("ip_family", &[IP], INT)]),
    function(
        "fieldSelector",
        &[member(
            "authorizer_fieldselector",
            &[RESOURCE_CHECK, TEXT],
            RESOURCE_CHECK,
        )],
    ),
    function("format.byte", &[global("format.byte", &[], FORMAT)]),
    function("format.date", &[global("format.date", &[], FORMAT)]),
    function("format.datetime", &[global("format.datetime", &[], FORMAT)]),
    function(
        "format.dns1035Label",
        &[global("format.dns1035Label", &[], FORMAT)],
    ),
    function(
        "format.dns1035LabelPrefix",
        &[global("format.dns1035LabelPrefix", &[], FORMAT)],
    ),
    function(
        "format.dns1123Label",
        &[global("format.dns1123Label", &[], FORMAT)],
    ),
    function(
        "format.dns1123LabelPrefix",
        &[global("format.dns1123LabelPrefix", &[], FORMAT)],
    ),
    function(
        "format.dns1123Subdomain",
        &[global("format.dns1123Subdomain", &[], FORMAT)],
    ),
    function(
        "format.dns1123SubdomainPrefix",
        &[global("format.dns1123SubdomainPrefix", &[], FORMAT)],
    ),
    function("format.labelValue", &[global("format.labelValue", &[], FORMAT)]),
    function(
        "format.named",
        &[global("format-named", &[TEXT], Optional(&FORMAT))],
    ),
    function(
        "format.qualifiedName",
        &[global("format.qualifiedName", &[], FORMAT)],
    ),
    function("format.uri", &[global("format.uri", &[], FORMAT)]),
    function("format.uuid", &[global("format.uuid", &[], FORMAT)]),
    function("getEscapedPath", &[member("url_get_escaped_path", &[URL], TEXT)]),
    function("getHost", &[member("url_get_host", &[URL], TEXT)]),
    function("getHostname", &[member("url_get_hostname", &[URL], TEXT)]),
    function("getPort", &[member("url_get_port", &[URL], TEXT)]),
    function(
        "getQuery",
        &[member("url_get_query", &[URL], Map(&TEXT, &List(&TEXT)))],
    ),
    function("getScheme", &[member("url_get_scheme", &[URL], TEXT)]),
    function(
        "group",
        &[member("authorizer_group", &[AUTHORIZER, TEXT], GROUP_CHECK)],
    ),
    function(
        "ip",
        &[
            global("string_to_ip", &[TEXT], IP),
            member("cidr_ip", &[CIDR], IP),
        ],
    ),
    function("ip.isCanonical", &[global("ip_is_canonical", &[TEXT], BOOL)]),
    function("isCIDR", &[global("is_cidr", &[TEXT], BOOL)]),
    function("isGlobalUnicast", &[member("ip_is_global_unicast", &[IP], BOOL)]),
    function(
        "isGreaterThan",
        &[
            member("quantity_is_greater_than", &[QUANTITY, QUANTITY], BOOL),
            member("semver_is_greater_than", &[SEMVER, SEMVER], BOOL),
        ],
    ),
    function("isIP", &[global("is_ip", &[TEXT], BOOL)]),
    function("isInteger", &[member("quantity_is_integer", &[QUANTITY], BOOL)]),
    function(
        "isLessThan",
        &[
            member("quantity_is_less_than", &[QUANTITY, QUANTITY], BOOL),
            member("semver_is_less_than", &[SEMVER, SEMVER], BOOL),
        ],
    ),
    function(
        "isLinkLocalMulticast",
        &[member("ip_is_link_local_multicast", &[IP], BOOL)],
    ),
    function(
        "isLinkLocalUnicast",
        &[member("ip_is_link_local_unicast", &[IP], BOOL)],
    ),
    function("isLoopback", &[member("ip_is_loopback", &[IP], BOOL)]),
    function("isQuantity", &[global("is_quantity_string", &[TEXT], BOOL)]),
    function(
        "isSemver",
        &[
            global("is_semver_string", &[TEXT], BOOL),
            global("is_semver_string_bool", &[TEXT, BOOL], BOOL),
        ],
    ),
    function("isURL", &[global("is_url_string", &[TEXT], BOOL)]),
    function("isUnspecified", &[member("ip_is_unspecified", &[IP], BOOL)]),
    function(
        "labelSelector",
        &[member(
            "authorizer_labelselector",
            &[RESOURCE_CHECK, TEXT],
            RESOURCE_CHECK,
        )],
    ),
    function("major", &[member("semver_major", &[SEMVER], INT)]),
    function("masked", &[member("cidr_masked", &[CIDR], CIDR)]),
    function("minor", &[member("semver_minor", &[SEMVER], INT)]),
    function(
        "name",
        &[member(
            "resourcecheck_name",
            &[RESOURCE_CHECK, TEXT],
            RESOURCE_CHECK,
        )],
    ),
    function(
        "namespace",
        &[member(
            "resourcecheck_namespace",
            &[RESOURCE_CHECK, TEXT],
            RESOURCE_CHECK,
        )],
    ),
    function("patch", &[member("semver_patch", &[SEMVER], INT)]),
    function(
        "path",
        &[member("authorizer_path", &[AUTHORIZER, TEXT], PATH_CHECK)],
    ),
    function("prefixLength", &[member("cidr_prefix_length", &[CIDR], INT)]),
    function("quantity", &[global("string_to_quantity", &[TEXT], QUANTITY)]),
    function("reason", &[member("decision_reason", &[DECISION], TEXT)]),
    function(
        "resource",
        &[member(
            "groupcheck_resource",
            &[GROUP_CHECK, TEXT],
            RESOURCE_CHECK,
        )],
    ),
    function(
        "semver",
        &[
            global("string_to_semver", &[TEXT], SEMVER),
            global("string_bool_to_semver", &[TEXT, BOOL], SEMVER),
        ],
    ),
    function(
        "serviceAccount",
        &[member(
            "authorizer_serviceaccount",
            &[AUTHORIZER, TEXT, TEXT],
            AUTHORIZER,
        )],
    ),
    function("sign", &[global("quantity_sign", &[QUANTITY], INT)]),
    function(
        "sub",
        &[
            member("quantity_sub", &[QUANTITY, QUANTITY], QUANTITY),
            member("quantity_sub_int", &[QUANTITY, INT], QUANTITY),
        ],
    ),
    function(
        "subresource",
        &[member(
            "resourcecheck_subresource",
            &[RESOURCE_CHECK, TEXT],
            RESOURCE_CHECK,
        )],
    ),
    function("url", &[global("string_to_url", &[TEXT], URL)]),
    function(
        "validate",
        &[member("format-validate", &[FORMAT, TEXT], Optional(&List(&TEXT)))],
    ),
];
