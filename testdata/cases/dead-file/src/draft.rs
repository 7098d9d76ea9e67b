//! Not finished.

pub struct {{name}}Spec {
    pub wall
}
