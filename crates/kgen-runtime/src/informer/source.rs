//! From the events of one watch to changes of the cache. A list shows what there is; what the cache held before and
//! the list does not show has been deleted in a gap of the watch.

use std::collections::BTreeSet;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;
use kube::runtime::watcher;

use super::hub::Hub;
use super::index::ByKey;

/// One watch that feeds a hub: of one namespace, or of all that there is.
pub(super) struct Source<K> {
    hub: Arc<Hub<K>>,
    namespace: Option<String>,
    /// What the cache held when the present list began and the list has not shown yet.
    unseen: BTreeSet<ByKey<K>>,
    has_listed: bool,
}

impl<K: Resource> Source<K> {
    pub(super) fn new(hub: Arc<Hub<K>>, namespace: Option<String>) -> Self {
        Self {
            hub,
            namespace,
            unseen: BTreeSet::new(),
            has_listed: false,
        }
    }

    /// Applies one event of the watch.
    pub(super) fn apply(&mut self, event: watcher::Event<K>) {
        match event {
            watcher::Event::Init => {
                self.unseen = self.hub.present(self.namespace.as_deref()).into_iter().collect()
            }
            watcher::Event::InitApply(object) => self.insert(object, !self.has_listed),
            watcher::Event::InitDone => {
                for ByKey(object) in std::mem::take(&mut self.unseen) {
                    self.hub.remove(object, false);
                }
                if !self.has_listed {
                    self.has_listed = true;
                    self.hub.first_list_done();
                }
            }
            watcher::Event::Apply(object) => self.insert(object, false),
            watcher::Event::Delete(object) => self.hub.remove(Arc::new(object), true),
        }
    }

    fn insert(&mut self, mut object: K, initial: bool) {
        trim(object.meta_mut());
        let object = ByKey(Arc::new(object));
        self.unseen.remove(&object);
        self.hub.insert(&object.0, initial);
    }
}

/// Gives back the room that lists have left over from being read one item after the other: four places for a single owner.
/// An object is kept for long, and there are many.
fn trim(meta: &mut ObjectMeta) {
    meta.owner_references.iter_mut().for_each(Vec::shrink_to_fit);
    meta.finalizers.iter_mut().for_each(Vec::shrink_to_fit);
    meta.managed_fields.iter_mut().for_each(Vec::shrink_to_fit);
}
