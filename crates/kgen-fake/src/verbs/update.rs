//! Replacing objects, and the last steps of every other change of an object.

use serde_json::Value;

use super::{Answer, Request, create, decode, options, ownership, plugins};
use crate::admission::{Draft, Operation, Stop};
use crate::kind::Part;
use crate::meta;
use crate::state::State;
use crate::status::Failure;
use crate::store::Stored;

pub(super) fn update(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    if request.name().is_empty() {
        return Err(Failure::bad_request("name must be provided").into());
    }
    options::check(request.call, "UpdateOptions")?;
    decode::check_media_type(request)?;
    let mut object = decode::object(request, &mut draft.warnings)?;
    check_name(request, &object)?;
    let found = state.store.get(&request.kind.resource, &request.key()).cloned();
    if found.is_none() && request.kind.allows_create_on_update() {
        check_uid(request, &object, &Value::Null)?;
    }
    match found {
        None if request.kind.allows_create_on_update() && request.part() == Part::Main => {
            meta::unset(&mut object, "resourceVersion");
            create::store_new(state, request, draft, object, false)
        }
        None => Err(request.not_found().into()),
        Some(found) => {
            check_uid(request, &object, &found.object)?;
            store_changed(state, request, draft, object, &found, false)
        }
    }
}

/// Checks that the name and namespace of an object are those of the URL.
pub(super) fn check_name(request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let name = meta::name(object);
    if name.is_empty() {
        return Err(Failure::bad_request(format!(
            "the name of the object ({} based on URL) was undeterminable: name must be provided",
            request.name()
        )));
    }
    if name != request.name() {
        return Err(Failure::bad_request(format!(
            "the name of the object ({name}) does not match the name on the URL ({})",
            request.name()
        )));
    }
    let namespace = meta::namespace(object);
    if !request.scope().is_empty() && !namespace.is_empty() && namespace != request.scope() {
        return Err(Failure::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        ));
    }
    Ok(())
}

/// Checks that an update is for the object that exists, if it names a UID.
pub(super) fn check_uid(request: &Request<'_>, object: &Value, old: &Value) -> Result<(), Failure> {
    let uid = meta::uid(object);
    if uid.is_empty() || uid == meta::uid(old) {
        return Ok(());
    }
    let root = if request.call.is_dry_run() {
        ""
    } else {
        "/registry"
    };
    let detail = format!(
        "StorageError: invalid object, Code: 4, Key: {root}/{}/{}, ResourceVersion: 0, AdditionalErrorMsg: \
         Precondition failed: UID in precondition: {uid}, UID in object meta: {}",
        request.kind.storage_prefix(),
        request.key(),
        meta::uid(old)
    );
    Err(conflict(request, &detail))
}

pub(super) fn conflict(request: &Request<'_>, detail: &str) -> Failure {
    Failure::conflict(request.name(), &request.kind.plural, &request.kind.group, detail)
}

/// Stores a changed object in the version of the request.
///
/// `is_managed` says whether its managed fields are already known.
pub(super) fn store_changed(
    state: &mut State,
    request: &Request<'_>,
    draft: &mut Draft,
    mut object: Value,
    found: &Stored,
    is_managed: bool,
) -> Result<Answer, Stop> {
    let kind = &request.kind;
    let part = request.part();
    let old = kind.read(found, request.version())?;
    if !is_managed {
        ownership::written(state, request, Some(&old), &mut object);
    }
    object = draft.mutate(state, request, Operation::Update, Some(&old), object)?;
    check_version(request, &mut object, &old)?;
    if kind.is_namespaced && meta::namespace(&object).is_empty() {
        meta::set(&mut object, "namespace", request.scope());
    }
    if !kind.is_namespaced {
        meta::unset(&mut object, "namespace");
    }
    meta::copy(&mut object, &old, "generation");
    kind.prepare_update(request.version(), &mut object, &old, part);
    let mut unassigned = Vec::new();
    if &*kind.resource == "services" {
        unassigned = state.addresses.keep(&mut object, &old, &state.store);
    }
    if meta::uid(&object).is_empty() {
        meta::copy(&mut object, &old, "uid");
    }
    meta::copy(&mut object, &old, "creationTimestamp");
    if meta::is_being_deleted(&old) {
        meta::copy(&mut object, &old, "deletionTimestamp");
    }
    if meta::of(&object).get("deletionGracePeriodSeconds").is_none() {
        meta::copy(&mut object, &old, "deletionGracePeriodSeconds");
    }
    meta::unset(&mut object, "selfLink");
    let mut errors = kind.validate(
        request.version(),
        &object,
        Some((&old, part)),
        &mut draft.warnings,
    )?;
    if errors.is_empty() {
        errors = unassigned;
    }
    if !errors.is_empty() {
        return Err(plugins::invalid(request, &object, &errors).into());
    }
    if part == Part::Main {
        plugins::check_change(state, request, &object, &old)?;
        let warnings = create::finalizer_warnings(request, &object, Some(&old));
        draft.warnings.extend(warnings);
        if &*kind.resource == "services" {
            draft.warnings.extend(crate::kind::service_warnings(&object));
        }
    }
    draft.validate(state, request, Operation::Update, Some(&old), &object)?;
    kgen_schema::read_numbers(&mut object);
    crate::apply::keep_times(&old, &mut object);
    let changed = commit(state, request, draft, object, found)?;
    Ok(request.answer(200, changed))
}

/// Checks the resource version of a changed object, or sets it where the kind allows to leave it out.
fn check_version(request: &Request<'_>, object: &mut Value, old: &Value) -> Result<(), Failure> {
    let kind = &request.kind;
    let text = meta::version(object);
    let version = match text {
        "" => 0,
        text => text.parse::<u64>().map_err(|_| {
            Failure::internal(format!("strconv.ParseUint: parsing \"{text}\": invalid syntax"))
        })?,
    };
    if version == 0 && kind.allows_unconditional_update() {
        meta::set(object, "resourceVersion", meta::version(old));
        return Ok(());
    }
    if version == 0 {
        let detail = "must be specified for an update";
        let error = kgen_schema::FieldError::new(
            kgen_schema::ErrorKind::Invalid,
            "metadata.resourceVersion",
            detail,
        );
        return Err(Failure::invalid(
            request.name(),
            &kind.plural,
            &kind.group,
            &[error.with_value(&0)],
        ));
    }
    if meta::version(old) != text {
        return Err(Failure::modified(request.name(), &kind.plural, &kind.group));
    }
    Ok(())
}

/// Stores an object whose checks are complete. An object that is being deleted and has lost its last finalizer is removed.
/// An object that has not changed is not written.
pub(super) fn commit(
    state: &mut State,
    request: &Request<'_>,
    draft: &Draft,
    mut object: Value,
    found: &Stored,
) -> Result<Value, Failure> {
    let kind = &request.kind;
    let stored = kind.to_stored(request.version(), &object)?;
    let is_dry_run = request.call.is_dry_run();
    let is_finished = meta::is_being_deleted(&found.object)
        && meta::finalizers(&object).is_empty()
        && is_emptied(request, &object, &found.object);
    if is_finished {
        if !is_dry_run {
            state.store.remove(&kind.resource, &request.key());
        }
        return Ok(object);
    }
    let epoch = kind.epoch_of(request.version());
    if is_dry_run && epoch == kind.epoch {
        return Ok(object);
    }
    if is_dry_run {
        return kind.read(&Stored::new(stored, epoch), request.version());
    }
    // An object that is converted is also decoded, which drops empty metadata.
    let unshown: &[&str] = if epoch == kind.epoch { &draft.unshown } else { &[] };
    if stored == *found.object && unshown == found.unshown {
        return kind.read(found, request.version());
    }
    let stored = Stored::new(stored, epoch).with_unshown(unshown);
    let stored = state.store.put_stored(&kind.resource, &request.key(), stored);
    if epoch != kind.epoch {
        return kind.read(&stored, request.version());
    }
    meta::set(&mut object, "resourceVersion", meta::version(&stored.object));
    Ok(object)
}

/// Returns whether nothing but the finalizers kept an object that is being deleted.
fn is_emptied(request: &Request<'_>, object: &Value, old: &Value) -> bool {
    let grace = meta::of(old)
        .get("deletionGracePeriodSeconds")
        .and_then(Value::as_i64);
    let spec_finalizers = object.pointer("/spec/finalizers").and_then(Value::as_array);
    let is_namespace = &*request.kind.resource == "namespaces";
    grace.unwrap_or(0) == 0
        && !(is_namespace && spec_finalizers.is_some_and(|finalizers| !finalizers.is_empty()))
}
