//! Objects that a test puts into the store without a request.

use serde_json::Value;

use crate::cluster::described;
use crate::kind::Part;
use crate::meta;
use crate::state::State;
use crate::store;

/// Creates or replaces an object. Returns a message if it is refused.
pub(crate) fn put(state: &mut State, mut object: Value) -> Result<(), String> {
    kgen_schema::read_numbers(&mut object);
    let text = |object: &Value, key: &str| {
        object
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let (api_version, kind_name) = (text(&object, "apiVersion"), text(&object, "kind"));
    let Some(kind) = state.kinds.find(&api_version, &kind_name).cloned() else {
        return Err(format!(
            "the cluster does not serve `{api_version}` `{kind_name}`"
        ));
    };
    let version = api_version.rsplit('/').next().unwrap_or_default().to_owned();
    let refused = |object: &Value, message: String| format!("{} is refused: {message}", described(object));
    // A status that is not given is empty after it was read.
    let has_status = object.get("status").is_some();
    let unknown = kind
        .prune(&version, &mut object)
        .map_err(|error| refused(&object, error))?;
    if !unknown.is_empty() {
        let unknown: Vec<String> = unknown
            .iter()
            .map(|path| format!("unknown field \"{path}\""))
            .collect();
        return Err(refused(&object, unknown.join(", ")));
    }
    kind.default(&version, &mut object);
    let namespace = match (kind.is_namespaced, meta::namespace(&object)) {
        (false, _) => String::new(),
        (true, "") => "default".to_owned(),
        (true, namespace) => namespace.to_owned(),
    };
    if kind.is_namespaced {
        meta::set(&mut object, "namespace", namespace.as_str());
    }
    let key = store::key(&namespace, meta::name(&object));
    match state.store.get(&kind.resource, &key).cloned() {
        Some(found) => {
            let old = kind
                .read(&found, &version)
                .map_err(|failure| refused(&object, failure.message()))?;
            for field in ["uid", "creationTimestamp", "resourceVersion", "generation"] {
                meta::copy(&mut object, &old, field);
            }
            for field in ["deletionTimestamp", "deletionGracePeriodSeconds"] {
                if meta::of(&object).get(field).is_none() {
                    meta::copy(&mut object, &old, field);
                }
            }
            let given = object.get("status").filter(|_| has_status);
            let status = given.or(old.get("status")).cloned();
            kind.prepare_update(&version, &mut object, &old, Part::Main);
            crate::kind::put(&mut object, "status", status);
            let errors = kind
                .validate(&version, &object, Some((&old, Part::Main)), &mut Vec::new())
                .map_err(|failure| refused(&object, failure.message()))?;
            if !errors.is_empty() {
                return Err(refused(&object, kgen_schema::joined(&errors)));
            }
            if object == old {
                return Ok(());
            }
        }
        None => {
            let status = object.get("status").filter(|_| has_status).cloned();
            kind.prepare_create(&version, &mut object);
            if &*kind.resource == "services" {
                state.addresses.assign(&mut object, &state.store);
            }
            if status.is_some() {
                crate::kind::put(&mut object, "status", status);
            }
            if meta::uid(&object).is_empty() {
                meta::set(&mut object, "uid", state.random.uid());
            }
            if meta::text(&object, "creationTimestamp").is_empty() {
                meta::set(&mut object, "creationTimestamp", state.clock.text());
            }
            let errors = kind
                .validate(&version, &object, None, &mut Vec::new())
                .map_err(|failure| refused(&object, failure.message()))?;
            if !errors.is_empty() {
                return Err(refused(&object, kgen_schema::joined(&errors)));
            }
            if kind.is_namespaced && state.store.get("namespaces", &namespace).is_none() {
                put(
                    state,
                    serde_json::json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}),
                )?;
            }
        }
    }
    let stored = kind
        .to_stored(&version, &object)
        .map_err(|failure| refused(&object, failure.message()))?;
    let epoch = kind.epoch_of(&kind.stored);
    state.store.put(&kind.resource, &key, stored, epoch);
    Ok(())
}
