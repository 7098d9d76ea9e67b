//! Converts OpenMetrics to the older text format. The samples are the same, but not the lines about them.

use std::collections::BTreeMap;

/// Returns the same metrics in the text format 0.0.4: counters are declared under the name of their samples
/// (`…_total`), and units and the end mark are removed.
pub(super) fn to_prometheus(open_metrics: &str) -> String {
    let kinds: BTreeMap<&str, &str> = open_metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .collect();
    let mut text = String::with_capacity(open_metrics.len());
    for line in open_metrics.lines() {
        let Some((word, name, rest)) = declaration(line) else {
            // Every other comment is the end mark.
            if !line.starts_with('#') {
                text.push_str(line);
                text.push('\n');
            }
            continue;
        };
        let (suffix, kind) = match kinds.get(name).copied() {
            Some("counter") => ("_total", "counter"),
            Some("info") => ("_info", "gauge"),
            Some("unknown") => ("", "untyped"),
            Some(kind) => ("", kind),
            None => ("", "untyped"),
        };
        let rest = match word {
            "HELP" => rest,
            "TYPE" => kind,
            _ => continue,
        };
        text.push_str(&format!("# {word} {name}{suffix} {rest}\n"));
    }
    text
}

/// Returns the keyword, the name and the rest of a line such as `# TYPE name …`.
fn declaration(line: &str) -> Option<(&str, &str, &str)> {
    let (word, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    let (name, rest) = rest.split_once(' ')?;
    Some((word, name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_follow_the_samples() {
        let open_metrics = "\
# HELP adds Adds so far.
# TYPE adds counter
adds_total{name=\"# TYPE adds gauge\"} 3
# HELP depth Items waiting.
# TYPE depth gauge
depth 1
# HELP build About the build.
# TYPE build info
build_info{version=\"1\"} 1
# HELP wait_seconds Time spent.
# TYPE wait_seconds histogram
# UNIT wait_seconds seconds
wait_seconds_count 0
# HELP odd Of no known kind.
# TYPE odd unknown
odd 1
# EOF
";
        let expected = "\
# HELP adds_total Adds so far.
# TYPE adds_total counter
adds_total{name=\"# TYPE adds gauge\"} 3
# HELP depth Items waiting.
# TYPE depth gauge
depth 1
# HELP build_info About the build.
# TYPE build_info gauge
build_info{version=\"1\"} 1
# HELP wait_seconds Time spent.
# TYPE wait_seconds histogram
wait_seconds_count 0
# HELP odd Of no known kind.
# TYPE odd untyped
odd 1
";
        assert_eq!(to_prometheus(open_metrics), expected);
    }
}
