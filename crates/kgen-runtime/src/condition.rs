//! Status conditions that follow the Kubernetes API conventions: one condition per type, with a transition time that
//! changes only with the status of the condition.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

/// Returns the condition of this type.
#[must_use]
pub fn find<'a>(conditions: &'a [Condition], type_: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.type_ == type_)
}

/// Returns whether the condition of this type exists and is `True`.
#[must_use]
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    find(conditions, type_).is_some_and(|condition| condition.status == "True")
}

/// Adds `condition`, or replaces the condition of the same type. Keeps the last transition time if the status does not
/// change. Returns whether anything has changed.
///
/// ```
/// use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
/// use kgen_runtime::clock::{Clock, SystemClock};
/// use kgen_runtime::condition;
///
/// let mut conditions = Vec::new();
/// let ready = Condition {
///     type_: "Ready".to_owned(),
///     status: "True".to_owned(),
///     reason: "AllUp".to_owned(),
///     message: String::new(),
///     observed_generation: Some(1),
///     last_transition_time: Time(SystemClock.now()),
/// };
/// assert!(condition::set(&mut conditions, ready.clone()));
/// assert!(condition::is_true(&conditions, "Ready"));
///
/// let again = Condition { last_transition_time: Time(SystemClock.now()), ..ready };
/// assert!(!condition::set(&mut conditions, again), "nothing has changed");
/// ```
pub fn set(conditions: &mut Vec<Condition>, mut condition: Condition) -> bool {
    let Some(present) = conditions
        .iter_mut()
        .find(|present| present.type_ == condition.type_)
    else {
        conditions.push(condition);
        return true;
    };
    if present.status == condition.status {
        condition.last_transition_time = present.last_transition_time.clone();
    }
    let changed = *present != condition;
    *present = condition;
    changed
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
    use k8s_openapi::jiff::Timestamp;

    use super::*;

    fn ready(status: &str, reason: &str, second: i64) -> Condition {
        Condition {
            type_: "Ready".to_owned(),
            status: status.to_owned(),
            reason: reason.to_owned(),
            message: String::new(),
            observed_generation: None,
            last_transition_time: Time(Timestamp::from_second(second).unwrap()),
        }
    }

    #[test]
    fn the_time_changes_with_the_status_alone() {
        let mut conditions = vec![ready("False", "Starting", 1)];
        assert!(set(&mut conditions, ready("False", "Waiting", 2)));
        assert_eq!(conditions, [ready("False", "Waiting", 1)]);
        assert!(!is_true(&conditions, "Ready"));
        assert!(set(&mut conditions, ready("True", "Up", 3)));
        assert_eq!(conditions, [ready("True", "Up", 3)]);
        assert!(is_true(&conditions, "Ready"));
        assert!(find(&conditions, "Other").is_none());
    }
}
