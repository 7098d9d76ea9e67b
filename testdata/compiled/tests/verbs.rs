//! What a handle does not have: verbs that markers take away, writes across namespaces, a status without the subresource.
//!
//! A trait offers every verb to every type, with an answer of its own. The compiler prefers a method of the type itself,
//! so a line with `absent` compiles only as long as the handle has no such method. The lines with `present` are the
//! counterproof: there the answer is a future, which the trait could not give.

#![allow(
    missing_docs,
    reason = "the modules are those of a case, which is compiled with documentation elsewhere"
)]

#[path = "../../cases/client-verbs/src/api/mod.rs"]
pub mod api;
#[rustfmt::skip]
#[path = "../../cases/client-verbs/expected/mod.rs"]
pub mod generated;

use generated::verbs_v1::{
    AllEverythings, AllReadings, Everythings, Kepts, Plains, Readings, Reporteds, Silents, Specials, Wides,
    Writtens,
};

/// The answer of the trait.
struct Absent;

/// Declares the trait with every verb, and implements it for everything.
macro_rules! every_verb {
    ($($verb:ident)+) => {
        trait EveryVerb {
            $(fn $verb(&self) -> Absent { Absent })+
        }
        impl<T> EveryVerb for T {}
    };
}

every_verb! {
    create update update_status delete delete_collection get get_opt list watch patch apply apply_status
    get_scale update_scale patch_scale with_options
}

macro_rules! absent {
    ($handle:ty: $($verb:ident)+) => {
        $(let _: fn(&$handle) -> Absent = |handle| handle.$verb();)+
    };
}

#[test]
fn markers_take_verbs_away() {
    absent!(Readings: create update update_status delete delete_collection patch apply apply_status with_options);
    absent!(Reporteds: create update delete delete_collection patch apply apply_status);
    absent!(Writtens: update update_status delete_collection get get_opt list watch patch apply apply_status);
    absent!(Kepts: delete_collection apply);
    absent!(Specials: create update delete delete_collection get get_opt list watch patch apply);
}

#[test]
fn nothing_is_written_across_namespaces() {
    absent!(AllEverythings: create update update_status delete delete_collection get get_opt patch apply apply_status);
    absent!(AllEverythings: get_scale update_scale patch_scale with_options);
    absent!(AllReadings: create update delete get get_scale);
}

#[test]
fn a_status_needs_its_subresource() {
    absent!(Plains: update_status apply_status);
    absent!(Silents: update_status apply_status);
    absent!(Wides: update_status apply_status);
}

#[test]
fn a_scale_needs_its_subresource() {
    absent!(Plains: get_scale update_scale patch_scale);
    absent!(Readings: update_scale patch_scale);
}

#[test]
fn what_is_present_is_found_before_the_trait() {
    let _ = |handle: &Everythings, object: &api::Everything| {
        drop(handle.create(object));
        drop(handle.update_status(object));
        drop(handle.get_scale("name"));
    };
    let _ = |handle: &Readings| {
        drop(handle.get("name"));
        drop(handle.get_scale("name"));
    };
    let _ = |handle: &Reporteds, object: &api::Reported| drop(handle.update_status(object));
    let _ = |handle: &Writtens, object: &api::Written| drop(handle.create(object));
}
