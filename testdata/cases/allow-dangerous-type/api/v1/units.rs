/// Knots are an alias.
// +kgen:allow=dangerous-type
pub type Knots = f64;
