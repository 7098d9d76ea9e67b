//! Markers in several files must agree about the name of a configuration.

mod other;
mod same;

// +kubebuilder:webhookconfiguration:mutating=true,name=one
