//! Reads and sets owner references.
//!
//! An object has at most one controller. Only UIDs are compared, because an object that was deleted and created again has
//! the same name.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::Resource;
use thiserror::Error;

/// The reason why an owner reference could not be set.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum OwnerError {
    /// The child already has another controller.
    #[error("{child} is already controlled by {} {:?} (uid {})", .controller.kind, .controller.name, .controller.uid)]
    AlreadyControlled {
        /// The child, as namespace/name.
        child: String,
        /// The controller.
        controller: Box<OwnerReference>,
    },
    /// The owner does not have a name or a UID, so it does not come from the API server.
    #[error("{owner} has no {missing}: use the object that the API server returned")]
    NotStored {
        /// The owner, as namespace/name.
        owner: String,
        /// The missing field.
        missing: &'static str,
    },
    /// A namespaced owner can own only objects in its own namespace. The garbage collector deletes any others.
    #[error(
        "{owner} cannot own {child}: a namespaced owner and its dependents must be in the same namespace"
    )]
    OtherNamespace {
        /// The owner, as namespace/name.
        owner: String,
        /// The child, as namespace/name.
        child: String,
    },
}

/// Returns the reference to the controller of `object`: the first one with `controller: true`.
pub fn controller_of<K: Resource>(object: &K) -> Option<&OwnerReference> {
    references(object)
        .iter()
        .find(|reference| reference.controller == Some(true))
}

/// Returns whether `owner` is the controller of `object`, by UID.
///
/// Unlike client-go's `IsControlledBy`, two missing UIDs are not equal.
pub fn is_controlled_by<K: Resource, O: Resource>(object: &K, owner: &O) -> bool {
    let uid = owner.meta().uid.as_deref().unwrap_or_default();
    !uid.is_empty() && controller_of(object).is_some_and(|reference| reference.uid == uid)
}

/// Returns a reference that makes `owner` the controller, with `blockOwnerDeletion`.
pub fn controller_reference<O>(owner: &O) -> Result<OwnerReference, OwnerError>
where
    O: Resource,
    O::DynamicType: Default,
{
    controller_reference_of_kind(&O::DynamicType::default(), owner)
}

/// Like [`controller_reference`], for an owner whose kind is known only at run time.
pub fn controller_reference_of_kind<O: Resource>(
    kind: &O::DynamicType,
    owner: &O,
) -> Result<OwnerReference, OwnerError> {
    Ok(OwnerReference {
        controller: Some(true),
        block_owner_deletion: Some(true),
        ..owner_reference_of_kind(kind, owner)?
    })
}

/// Returns a reference that makes `owner` one of the owners, but not the controller.
pub fn owner_reference<O>(owner: &O) -> Result<OwnerReference, OwnerError>
where
    O: Resource,
    O::DynamicType: Default,
{
    owner_reference_of_kind(&O::DynamicType::default(), owner)
}

/// Like [`owner_reference`], for an owner whose kind is known only at run time.
pub fn owner_reference_of_kind<O: Resource>(
    kind: &O::DynamicType,
    owner: &O,
) -> Result<OwnerReference, OwnerError> {
    let meta = owner.meta();
    let missing = |missing| OwnerError::NotStored {
        owner: place(owner),
        missing,
    };
    Ok(OwnerReference {
        api_version: O::api_version(kind).into_owned(),
        kind: O::kind(kind).into_owned(),
        name: meta
            .name
            .clone()
            .filter(|name| !name.is_empty())
            .ok_or_else(|| missing("name"))?,
        uid: meta
            .uid
            .clone()
            .filter(|uid| !uid.is_empty())
            .ok_or_else(|| missing("uid"))?,
        controller: None,
        block_owner_deletion: None,
    })
}

/// Makes `owner` the controller of `child`. Replaces a reference to the same owner, and keeps other owners.
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Secret};
/// use kgen_runtime::owner::{controller_of, is_controlled_by, set_controller_reference};
///
/// let mut owner = ConfigMap::default();
/// owner.metadata.name = Some("settings".into());
/// owner.metadata.namespace = Some("default".into());
/// owner.metadata.uid = Some("4a1e".into());
///
/// let mut child = Secret::default();
/// child.metadata.namespace = Some("default".into());
/// set_controller_reference(&owner, &mut child)?;
///
/// assert!(is_controlled_by(&child, &owner));
/// assert_eq!(controller_of(&child).map(|reference| reference.kind.as_str()), Some("ConfigMap"));
/// # Ok::<(), kgen_runtime::owner::OwnerError>(())
/// ```
pub fn set_controller_reference<O, C>(owner: &O, child: &mut C) -> Result<(), OwnerError>
where
    O: Resource,
    O::DynamicType: Default,
    C: Resource,
{
    set_controller_reference_of_kind(&O::DynamicType::default(), owner, child)
}

/// Like [`set_controller_reference`], for an owner whose kind is known only at run time.
pub fn set_controller_reference_of_kind<O: Resource, C: Resource>(
    kind: &O::DynamicType,
    owner: &O,
    child: &mut C,
) -> Result<(), OwnerError> {
    let reference = controller_reference_of_kind(kind, owner)?;
    check_namespaces(owner, child)?;
    if let Some(controller) = controller_of(child).filter(|controller| controller.uid != reference.uid) {
        return Err(OwnerError::AlreadyControlled {
            child: place(child),
            controller: Box::new(controller.clone()),
        });
    }
    replace(child, reference);
    Ok(())
}

/// Makes `owner` one of the owners of `child`: the garbage collector deletes `child` when all owners are deleted. An owner that
/// is the controller stays the controller.
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Secret};
/// use kgen_runtime::owner::{has_owner, remove_owner_reference, set_owner_reference};
///
/// let mut owner = ConfigMap::default();
/// owner.metadata.name = Some("settings".into());
/// owner.metadata.uid = Some("4a1e".into());
/// let mut child = Secret::default();
///
/// set_owner_reference(&owner, &mut child)?;
/// assert!(has_owner(&child, &owner));
/// assert!(remove_owner_reference(&owner, &mut child));
/// assert!(!has_owner(&child, &owner));
/// # Ok::<(), kgen_runtime::owner::OwnerError>(())
/// ```
pub fn set_owner_reference<O, C>(owner: &O, child: &mut C) -> Result<(), OwnerError>
where
    O: Resource,
    O::DynamicType: Default,
    C: Resource,
{
    set_owner_reference_of_kind(&O::DynamicType::default(), owner, child)
}

/// Like [`set_owner_reference`], for an owner whose kind is known only at run time.
pub fn set_owner_reference_of_kind<O: Resource, C: Resource>(
    kind: &O::DynamicType,
    owner: &O,
    child: &mut C,
) -> Result<(), OwnerError> {
    let reference = owner_reference_of_kind(kind, owner)?;
    check_namespaces(owner, child)?;
    let present = references(child)
        .iter()
        .find(|present| present.uid == reference.uid);
    let (controller, block_owner_deletion) = present
        .map(|present| (present.controller, present.block_owner_deletion))
        .unwrap_or_default();
    let reference = OwnerReference {
        controller,
        block_owner_deletion,
        ..reference
    };
    replace(child, reference);
    Ok(())
}

/// Removes the reference to `owner`, by UID. Returns whether there was one.
pub fn remove_owner_reference<O: Resource, C: Resource>(owner: &O, child: &mut C) -> bool {
    let found = has_owner(child, owner);
    if found {
        let uid = owner.meta().uid.as_deref();
        let kept = &mut child.meta_mut().owner_references;
        if let Some(references) = kept {
            references.retain(|reference| Some(reference.uid.as_str()) != uid);
        }
        kept.take_if(|references| references.is_empty());
    }
    found
}

/// Returns whether `owner` is one of the owners of `object`, by UID. Two missing UIDs are not equal.
pub fn has_owner<K: Resource, O: Resource>(object: &K, owner: &O) -> bool {
    let uid = owner.meta().uid.as_deref().unwrap_or_default();
    !uid.is_empty() && references(object).iter().any(|reference| reference.uid == uid)
}

fn references<K: Resource>(object: &K) -> &[OwnerReference] {
    object.meta().owner_references.as_deref().unwrap_or_default()
}

fn check_namespaces<O: Resource, C: Resource>(owner: &O, child: &C) -> Result<(), OwnerError> {
    let owner_namespace = owner.meta().namespace.as_deref();
    if owner_namespace.is_some() && owner_namespace != child.meta().namespace.as_deref() {
        return Err(OwnerError::OtherNamespace {
            owner: place(owner),
            child: place(child),
        });
    }
    Ok(())
}

/// Replaces the reference to the same owner, or adds one.
fn replace<C: Resource>(child: &mut C, reference: OwnerReference) {
    let references = child.meta_mut().owner_references.get_or_insert_default();
    match references
        .iter_mut()
        .find(|existing| existing.uid == reference.uid)
    {
        Some(existing) => *existing = reference,
        None => references.push(reference),
    }
}

/// Returns `namespace/name`, or whichever part is known.
fn place<K: Resource>(object: &K) -> String {
    let meta = object.meta();
    let name = meta
        .name
        .as_deref()
        .or(meta.generate_name.as_deref())
        .unwrap_or("an object without a name");
    match &meta.namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
    use kube::core::ObjectMeta;

    use super::*;

    fn meta(namespace: Option<&str>, name: &str, uid: &str) -> ObjectMeta {
        ObjectMeta {
            name: Some(name.into()),
            namespace: namespace.map(Into::into),
            uid: Some(uid.into()),
            ..Default::default()
        }
    }

    fn owner(uid: &str) -> ConfigMap {
        ConfigMap {
            metadata: meta(Some("default"), "owner", uid),
            ..Default::default()
        }
    }

    fn child() -> Secret {
        Secret {
            metadata: meta(Some("default"), "child", "c"),
            ..Default::default()
        }
    }

    #[test]
    fn the_reference_names_the_owner_in_full() {
        let mut child = child();
        set_controller_reference(&owner("o"), &mut child).unwrap();
        let expected = OwnerReference {
            api_version: "v1".into(),
            kind: "ConfigMap".into(),
            name: "owner".into(),
            uid: "o".into(),
            controller: Some(true),
            block_owner_deletion: Some(true),
        };
        assert_eq!(child.metadata.owner_references, Some(vec![expected]));
    }

    #[test]
    fn setting_it_twice_leaves_one_reference() {
        let mut child = child();
        let plain = OwnerReference {
            uid: "o".into(),
            name: "owner".into(),
            ..Default::default()
        };
        let other = OwnerReference {
            uid: "x".into(),
            name: "other".into(),
            ..Default::default()
        };
        child.metadata.owner_references = Some(vec![other.clone(), plain]);
        set_controller_reference(&owner("o"), &mut child).unwrap();
        set_controller_reference(&owner("o"), &mut child).unwrap();
        let references = child.metadata.owner_references.unwrap();
        assert_eq!(references.len(), 2);
        assert_eq!(references[0], other);
        assert_eq!(references[1].controller, Some(true));
    }

    #[test]
    fn a_second_controller_is_refused() {
        let mut child = child();
        set_controller_reference(&owner("o"), &mut child).unwrap();
        let before = child.clone();
        let error = set_controller_reference(&owner("p"), &mut child).unwrap_err();
        assert_eq!(
            error.to_string(),
            "default/child is already controlled by ConfigMap \"owner\" (uid o)"
        );
        assert_eq!(child, before);
    }

    #[test]
    fn only_uids_decide() {
        let mut child = child();
        set_controller_reference(&owner("o"), &mut child).unwrap();
        assert!(is_controlled_by(&child, &owner("o")));
        assert!(!is_controlled_by(&child, &owner("recreated")));

        let mut nameless = child.clone();
        nameless.metadata.owner_references = Some(vec![OwnerReference {
            controller: Some(true),
            ..Default::default()
        }]);
        assert!(
            !is_controlled_by(&nameless, &owner("")),
            "two missing UIDs are not the same object"
        );
    }

    #[test]
    fn owners_without_the_flag_are_not_controllers() {
        let mut child = child();
        child.metadata.owner_references = Some(vec![OwnerReference {
            uid: "o".into(),
            controller: Some(false),
            ..Default::default()
        }]);
        assert_eq!(controller_of(&child), None);
        assert!(!is_controlled_by(&child, &owner("o")));
    }

    #[test]
    fn several_owners_and_one_controller() {
        let mut child = child();
        set_controller_reference(&owner("o"), &mut child).unwrap();
        set_owner_reference(&owner("p"), &mut child).unwrap();
        set_owner_reference(&owner("o"), &mut child).unwrap();
        assert!(is_controlled_by(&child, &owner("o")), "it stays the controller");
        assert!(has_owner(&child, &owner("p")) && !is_controlled_by(&child, &owner("p")));
        assert!(!has_owner(&child, &owner("q")) && !has_owner(&child, &owner("")));
        assert!(remove_owner_reference(&owner("o"), &mut child));
        assert!(!remove_owner_reference(&owner("o"), &mut child), "it is gone");
        assert!(has_owner(&child, &owner("p")));
        assert!(remove_owner_reference(&owner("p"), &mut child));
        assert_eq!(child.metadata.owner_references, None);
        child.metadata.namespace = Some("other".into());
        assert!(set_owner_reference(&owner("o"), &mut child).is_err());
    }

    #[test]
    fn owners_of_kinds_that_are_known_at_run_time() {
        use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("example.com", "v1", "Foo"));
        let mut owner = DynamicObject::new("a", &resource).within("default");
        owner.metadata.uid = Some("u".into());
        let mut child = child();
        set_controller_reference_of_kind(&resource, &owner, &mut child).unwrap();
        let reference = controller_of(&child).unwrap();
        assert_eq!(
            (&*reference.api_version, &*reference.kind, &*reference.name),
            ("example.com/v1", "Foo", "a")
        );
    }

    #[test]
    fn namespaces_and_missing_fields() {
        let mut elsewhere = child();
        elsewhere.metadata.namespace = Some("other".into());
        let error = set_controller_reference(&owner("o"), &mut elsewhere).unwrap_err();
        assert!(matches!(error, OwnerError::OtherNamespace { .. }), "{error}");

        let mut cluster = Namespace {
            metadata: meta(None, "team", "n"),
            ..Default::default()
        };
        assert!(set_controller_reference(&owner("o"), &mut cluster).is_err());
        set_controller_reference(&cluster, &mut elsewhere).unwrap();

        let unsaved = ConfigMap {
            metadata: meta(Some("default"), "new", ""),
            ..Default::default()
        };
        let error = set_controller_reference(&unsaved, &mut child()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "default/new has no uid: use the object that the API server returned"
        );
    }
}
