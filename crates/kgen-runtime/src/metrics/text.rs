//! Converts OpenMetrics to the older text format. The samples are the same, but not the lines about them and the ends of buckets.

use std::collections::BTreeMap;

/// Returns the same metrics in the text format 0.0.4: counters are declared under the name of their samples
/// (`…_total`), and units and the end mark are removed. The ends of buckets are written as in Go's programs (`le="1"` instead of
/// `le="1.0"`), so that alerts that name one find it.
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
                match bucket(line) {
                    Some((name, end, rest)) => {
                        text.push_str(&format!("{name}{{le=\"{}\"{rest}", go_number(end)))
                    }
                    None => text.push_str(line),
                }
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

/// Returns the name, the end and the rest of a line such as `name_bucket{le="0.5",…} 1`.
fn bucket(line: &str) -> Option<(&str, f64, &str)> {
    let (name, labels) = line.split_once("{le=\"")?;
    let (end, _) = labels.split_once('"')?;
    let rest = labels.get(end.len() + 1..)?;
    let end: f64 = end.parse().ok()?;
    (end.is_finite() && name.ends_with("_bucket") && !name.contains('{')).then_some((name, end, rest))
}

/// Writes a number with as few digits as possible, like `%g` in Go.
fn go_number(number: f64) -> String {
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..6).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_end_as_in_go() {
        let open_metrics = "\
wait_seconds_bucket{le=\"1e-8\"} 0
wait_seconds_bucket{le=\"0.00001\",name=\"a\"} 1
wait_seconds_bucket{le=\"0.0001\"} 1
wait_seconds_bucket{le=\"0.25\"} 1
wait_seconds_bucket{le=\"1.0\",name=\"{le=\\\"2.0\\\"\"} 2
wait_seconds_bucket{le=\"60.0\"} 3
wait_seconds_bucket{le=\"1000000.0\"} 3
wait_seconds_bucket{le=\"+Inf\"} 3
wait_seconds_sum{name=\"a\"} 1.0
depth{le=\"1.0\"} 1
";
        let expected = "\
wait_seconds_bucket{le=\"1e-08\"} 0
wait_seconds_bucket{le=\"1e-05\",name=\"a\"} 1
wait_seconds_bucket{le=\"0.0001\"} 1
wait_seconds_bucket{le=\"0.25\"} 1
wait_seconds_bucket{le=\"1\",name=\"{le=\\\"2.0\\\"\"} 2
wait_seconds_bucket{le=\"60\"} 3
wait_seconds_bucket{le=\"1e+06\"} 3
wait_seconds_bucket{le=\"+Inf\"} 3
wait_seconds_sum{name=\"a\"} 1.0
depth{le=\"1.0\"} 1
";
        assert_eq!(to_prometheus(open_metrics), expected);
    }

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
