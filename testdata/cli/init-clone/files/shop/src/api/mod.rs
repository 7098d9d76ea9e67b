//! The kinds of this operator, one module per group.
