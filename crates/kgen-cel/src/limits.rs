//! The limits of the Kubernetes API server for CEL, with the names that they have in its Go code.

/// The most that one rule or message expression of a CRD may cost by estimate, counted for all values that it is
/// evaluated for (`StaticEstimatedCostLimit`).
pub const ESTIMATED_RULE_COST: u64 = 10_000_000;

/// The most that all rules of one version of a CRD may cost by estimate (`StaticEstimatedCRDCostLimit`).
pub const ESTIMATED_CRD_COST: u64 = 100_000_000;

/// The most that one evaluation of one expression may cost (`PerCallLimit`).
pub const EVALUATION_COST: u64 = 1_000_000;

/// The most that evaluating all rules for one object may cost (`RuntimeCELCostBudget`).
pub const OBJECT_COST: u64 = 10_000_000;

/// The most that evaluating all match conditions of one webhook may cost (`RuntimeCELCostBudgetMatchConditions`).
pub const MATCH_CONDITIONS_COST: u64 = 2_500_000;

/// The size of the largest request that an API server accepts, in bytes (`MaxRequestSizeBytes`).
///
/// It bounds the size of every string, list and map whose schema does not state a limit.
pub const REQUEST_BYTES: i64 = 3 * 1024 * 1024;

/// The longest expression that the parser accepts, in code points.
pub const EXPRESSION_CHARACTERS: usize = 100_000;

/// The deepest nesting that the parser accepts.
pub const EXPRESSION_DEPTH: usize = 250;
