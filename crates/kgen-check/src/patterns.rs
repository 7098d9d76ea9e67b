//! Patterns: they must be regular expressions that Go accepts.

use kgen_diagnostics::Code;
use kgen_model::Keyword;

use super::Report;
use super::walk::Node;

/// Checks the pattern of one node.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let Some(pattern) = &node.schema.constraints.pattern else {
        return;
    };
    if let Some(reason) = report.patterns.refusal(pattern) {
        let message =
            format!("the pattern `{pattern}` is not a valid regular expression in Kubernetes: {reason}");
        report.problems.push(
            node.error(Code::RegularExpression, Some(Keyword::Pattern), message)
                .help("use the syntax of RE2: https://github.com/google/re2/wiki/Syntax"),
        );
    }
}
