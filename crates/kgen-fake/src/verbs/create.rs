//! Creating objects.

use serde_json::Value;

use super::{Answer, Request, decode, options, ownership, plugins};
use crate::admission::{Draft, Operation, Stop};
use crate::meta;
use crate::state::State;
use crate::status::Failure;
use crate::store;

/// The characters of generated names.
const NAME_CHARACTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
/// The most characters of a prefix that are kept.
const LONGEST_PREFIX: usize = 58;
const SUFFIX: usize = 5;
/// How often another name is drawn if the first is taken.
const ATTEMPTS: usize = 8;

pub(super) fn create(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    decode::check_media_type(request)?;
    options::check(request.call, "CreateOptions")?;
    let mut object = decode::object(request, &mut draft.warnings)?;
    for key in [
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "selfLink",
        "uid",
    ] {
        meta::unset(&mut object, key);
    }
    store_new(state, request, draft, object, false)
}

/// Creates an object that was read. `is_managed` says whether its managed fields are already known.
pub(super) fn store_new(
    state: &mut State,
    request: &Request<'_>,
    draft: &mut Draft,
    mut object: Value,
    is_managed: bool,
) -> Result<Answer, Stop> {
    let kind = &request.kind;
    match (request.scope(), meta::namespace(&object)) {
        ("", _) => meta::unset(&mut object, "namespace"),
        (namespace, "") => meta::set(&mut object, "namespace", namespace),
        (namespace, given) if namespace != given => {
            return Err(Failure::bad_request(
                "the namespace of the provided object does not match the namespace sent on the request",
            )
            .into());
        }
        _ => {}
    }
    let is_generated = meta::name(&object).is_empty() && !meta::text(&object, "generateName").is_empty();
    if is_generated {
        let name = match &draft.name {
            Some(name) => name.clone(),
            None => free_name(state, request, meta::text(&object, "generateName")),
        };
        draft.name = Some(name.clone());
        meta::set(&mut object, "name", name);
    }
    check_namespace(state, request, &object)?;
    if !is_managed {
        ownership::written(state, request, None, &mut object);
    }
    object = draft.mutate(state, request, Operation::Create, None, object)?;
    if is_managed && meta::version(&object).parse::<u64>().is_err() && !meta::version(&object).is_empty() {
        let text = meta::version(&object);
        let message = format!("strconv.ParseUint: parsing \"{text}\": invalid syntax");
        return Err(Failure::internal(message).into());
    }
    let is_dry_run = request.call.is_dry_run();
    if !is_dry_run {
        meta::unset(&mut object, "selfLink");
    }
    plugins::admit(state, request, &mut object)?;
    kind.prepare_create(request.version(), &mut object);
    let mut unassigned = Vec::new();
    if &*kind.resource == "services" {
        unassigned = state.addresses.assign(&mut object, &state.store);
    }
    let uid = draft.uid.get_or_insert_with(|| state.random.uid()).clone();
    meta::set(&mut object, "uid", uid);
    meta::set(&mut object, "creationTimestamp", state.clock.text());
    kind.finish_create(&mut object);
    let mut errors = kind.validate(request.version(), &object, None, &mut draft.warnings)?;
    let name = meta::name(&object).to_owned();
    if errors.is_empty() {
        errors = unassigned;
    }
    if !errors.is_empty() {
        return Err(plugins::invalid(request, &object, &errors).into());
    }
    if let Some(row) = kind.row() {
        draft.warnings.extend(crate::kind::warnings(row, &object));
    }
    let warnings = finalizer_warnings(request, &object, None);
    draft.warnings.extend(warnings);
    draft.validate(state, request, Operation::Create, None, &object)?;
    let has_version = meta::version(&object)
        .parse::<u64>()
        .is_ok_and(|version| version != 0);
    if has_version && !is_managed && !is_dry_run {
        return Err(Failure::internal("resourceVersion should not be set on objects to be created").into());
    }
    if !is_dry_run {
        meta::unset(&mut object, "resourceVersion");
    }
    kgen_schema::read_numbers(&mut object);
    let key = store::key(request.scope(), &name);
    if let Some(found) = state.store.get(&kind.resource, &key) {
        return Err(if is_generated {
            Failure::generated_name_taken(&name, &kind.plural, &kind.group)
        } else if meta::is_being_deleted(&found.object) {
            Failure::being_deleted(&name, &kind.plural, &kind.group)
        } else {
            Failure::already_exists(&name, &kind.plural, &kind.group)
        }
        .into());
    }
    let epoch = kind.epoch_of(request.version());
    let created = if is_dry_run {
        if epoch == kind.epoch {
            object
        } else {
            let stored = kind.to_stored(request.version(), &object)?;
            kind.read(&store::Stored::new(stored, epoch), request.version())?
        }
    } else {
        let stored = kind.to_stored(request.version(), &object)?;
        // An object that is converted is also decoded, which drops empty metadata.
        let unshown: &[&str] = if epoch == kind.epoch { &draft.unshown } else { &[] };
        let stored = store::Stored::new(stored, epoch).with_unshown(unshown);
        let stored = state.store.put_stored(&kind.resource, &key, stored);
        if epoch == kind.epoch {
            meta::set(&mut object, "resourceVersion", meta::version(&stored.object));
            object
        } else {
            kind.read(&stored, request.version())?
        }
    };
    Ok(request.answer(201, created))
}

/// Draws names until one is free.
fn free_name(state: &mut State, request: &Request<'_>, prefix: &str) -> String {
    let prefix: String = prefix.chars().take(LONGEST_PREFIX).collect();
    let mut name = String::new();
    for _ in 0..ATTEMPTS {
        name = format!("{prefix}{}", state.random.text(NAME_CHARACTERS, SUFFIX));
        let key = store::key(request.scope(), &name);
        if state.store.get(&request.kind.resource, &key).is_none() {
            break;
        }
    }
    name
}

/// Refuses new objects in a namespace that does not exist or is being deleted.
fn check_namespace(state: &State, request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let namespace = request.scope();
    if namespace.is_empty() {
        return Ok(());
    }
    let kind = &request.kind;
    match state.store.get("namespaces", namespace) {
        None => Err(Failure::not_found(namespace, "namespaces", "")),
        Some(found) if meta::is_being_deleted(&found.object) => Err(Failure::namespace_terminating(
            meta::name(object),
            &kind.plural,
            &kind.group,
            namespace,
        )),
        Some(_) => Ok(()),
    }
}

/// Warns about new finalizers without a domain.
pub(super) fn finalizer_warnings(request: &Request<'_>, object: &Value, old: Option<&Value>) -> Vec<String> {
    if !request.kind.is_custom() {
        return Vec::new();
    }
    let known = old.map(meta::finalizers).unwrap_or_default();
    let standard = ["orphan", "foregroundDeletion", "kubernetes"];
    let is_plain = |name: &&str| !name.contains('/') && !standard.contains(name) && !known.contains(name);
    let plain: std::collections::BTreeSet<&str> =
        meta::finalizers(object).into_iter().filter(is_plain).collect();
    plain
        .into_iter()
        .map(|name| {
            let path = if name.contains('.') { " including a path (/)" } else { "" };
            format!(
                "metadata.finalizers: \"{name}\": prefer a domain-qualified finalizer name{path} to avoid accidental \
                 conflicts with other finalizer writers"
            )
        })
        .collect()
}
