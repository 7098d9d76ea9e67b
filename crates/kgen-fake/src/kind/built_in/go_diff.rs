//! The difference of two texts, as `diff.Diff` of apimachinery writes it. Mirrors `difflib.UnifiedDiff`, which mirrors Python's
//! `difflib`.

use std::collections::HashMap;

/// The lines around a change that are shown.
const CONTEXT: usize = 3;
/// From this number of lines on, lines that are frequent do not begin a match.
const MANY: usize = 200;

/// A run of equal lines: where it begins in both texts, and its length.
type Match = (usize, usize, usize);

/// A step from the first text to the second.
#[derive(Clone, Copy)]
struct Step {
    is_equal: bool,
    old: (usize, usize),
    new: (usize, usize),
}

/// Returns the unified difference of two texts, without a header.
pub(super) fn unified(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let mut text = String::new();
    for group in groups(&steps(&old, &new)) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let range = |start: usize, end: usize| match end - start {
            0 => format!("{start},0"),
            1 => format!("{}", start + 1),
            length => format!("{},{length}", start + 1),
        };
        let (before, after) = (range(first.old.0, last.old.1), range(first.new.0, last.new.1));
        text.push_str(&format!("@@ -{before} +{after} @@\n"));
        for step in group {
            let mut show = |sign: char, lines: &[&str], (start, end): (usize, usize)| {
                for line in lines.get(start..end).unwrap_or_default() {
                    text.push(sign);
                    text.push_str(line);
                    text.push('\n');
                }
            };
            if step.is_equal {
                show(' ', &old, step.old);
            } else {
                show('-', &old, step.old);
                show('+', &new, step.new);
            }
        }
    }
    text
}

fn steps(old: &[&str], new: &[&str]) -> Vec<Step> {
    let mut steps = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut matches = matches(old, new);
    matches.push((old.len(), new.len(), 0));
    for (start, new_start, length) in matches {
        if i < start || j < new_start {
            steps.push(Step {
                is_equal: false,
                old: (i, start),
                new: (j, new_start),
            });
        }
        (i, j) = (start + length, new_start + length);
        if length > 0 {
            steps.push(Step {
                is_equal: true,
                old: (start, i),
                new: (new_start, j),
            });
        }
    }
    steps
}

/// Returns the runs of equal lines, in their order.
fn matches(old: &[&str], new: &[&str]) -> Vec<Match> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, line) in new.iter().enumerate() {
        places.entry(line).or_default().push(index);
    }
    if new.len() >= MANY {
        places.retain(|_, indices| indices.len() <= new.len() / 100 + 1);
    }
    let mut found = Vec::new();
    let mut rest = vec![(0, old.len(), 0, new.len())];
    while let Some((old_start, old_end, new_start, new_end)) = rest.pop() {
        let (i, j, length) = longest(old, new, &places, (old_start, old_end), (new_start, new_end));
        if length == 0 {
            continue;
        }
        found.push((i, j, length));
        rest.push((old_start, i, new_start, j));
        rest.push((i + length, old_end, j + length, new_end));
    }
    found.sort_unstable();
    let mut merged: Vec<Match> = Vec::new();
    for (i, j, length) in found {
        match merged.last_mut() {
            Some(last) if last.0 + last.2 == i && last.1 + last.2 == j => last.2 += length,
            _ => merged.push((i, j, length)),
        }
    }
    merged
}

/// Returns the longest run of equal lines in two ranges, the first one of several.
fn longest(
    old: &[&str],
    new: &[&str],
    places: &HashMap<&str, Vec<usize>>,
    (old_start, old_end): (usize, usize),
    (new_start, new_end): (usize, usize),
) -> Match {
    let mut best = (old_start, new_start, 0);
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    for (i, line) in old.iter().enumerate().take(old_end).skip(old_start) {
        let mut next = HashMap::new();
        let indices = places.get(line).map(Vec::as_slice).unwrap_or_default();
        for j in indices
            .iter()
            .copied()
            .filter(|j| (new_start..new_end).contains(j))
        {
            let before = j.checked_sub(1).and_then(|before| lengths.get(&before));
            let length = before.copied().unwrap_or(0) + 1;
            next.insert(j, length);
            if length > best.2 {
                best = (i + 1 - length, j + 1 - length, length);
            }
        }
        lengths = next;
    }
    let same = |i: usize, j: usize| old.get(i).is_some_and(|line| new.get(j) == Some(line));
    // Frequent lines do not begin a run, but they extend it.
    while best.0 > old_start && best.1 > new_start && same(best.0 - 1, best.1 - 1) {
        best = (best.0 - 1, best.1 - 1, best.2 + 1);
    }
    while best.0 + best.2 < old_end && best.1 + best.2 < new_end && same(best.0 + best.2, best.1 + best.2) {
        best.2 += 1;
    }
    best
}

/// Returns the changes with the lines around them. Changes that are near to each other are in one group.
fn groups(steps: &[Step]) -> Vec<Vec<Step>> {
    let start = |(from, to): (usize, usize)| (to.saturating_sub(CONTEXT).max(from), to);
    let end = |(from, to): (usize, usize)| (from, to.min(from + CONTEXT));
    let mut steps = steps.to_vec();
    if let Some(first) = steps.first_mut().filter(|step| step.is_equal) {
        (first.old, first.new) = (start(first.old), start(first.new));
    }
    if let Some(last) = steps.last_mut().filter(|step| step.is_equal) {
        (last.old, last.new) = (end(last.old), end(last.new));
    }
    let mut groups = Vec::new();
    let mut group: Vec<Step> = Vec::new();
    for mut step in steps {
        if step.is_equal && step.old.1 - step.old.0 > 2 * CONTEXT {
            group.push(Step {
                old: end(step.old),
                new: end(step.new),
                ..step
            });
            groups.push(std::mem::take(&mut group));
            (step.old, step.new) = (start(step.old), start(step.new));
        }
        group.push(step);
    }
    if group.iter().any(|step| !step.is_equal) {
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn changes_have_three_lines_of_context() {
        let old: Vec<String> = (0..20).map(|line| format!("line {line}")).collect();
        let mut new = old.clone();
        new[2] = "changed".to_owned();
        new.insert(15, "added".to_owned());
        assert_eq!(
            unified(&old.join("\n"), &new.join("\n")),
            "@@ -1,6 +1,6 @@\n line 0\n line 1\n-line 2\n+changed\n line 3\n line 4\n line 5\n\
             @@ -13,6 +13,7 @@\n line 12\n line 13\n line 14\n+added\n line 15\n line 16\n line 17\n"
        );
        assert_eq!(unified("a", "a"), "");
        assert_eq!(unified("a", "b"), "@@ -1 +1 @@\n-a\n+b\n");
    }
}
