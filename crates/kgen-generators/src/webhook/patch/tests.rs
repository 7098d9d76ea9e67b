//! Patches on a small entry, after the tests of controller-gen and of Kubernetes.
