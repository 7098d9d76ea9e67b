//! Bounds, shared by the kubebuilder and the declarative spelling.

use kgen_diagnostics::Code;
use kgen_model::{Keyword, Number};

use crate::marker::{Outcome, Place};
use crate::schema::{Node, Shape};
use crate::value::{Count, Located};

/// Which bound of a number.
#[derive(Clone, Copy)]
pub(super) enum NumberBound {
    Minimum,
    Maximum,
    MultipleOf,
}

/// States a bound of a number. Whether integers can have it is checked later, because the API server accepts any.
pub(super) fn number(
    node: &mut Node<'_>,
    place: &Place,
    bound: NumberBound,
    value: &Located<Number>,
) -> Outcome {
    node.require(place, Shape::Number)?;
    let keyword = match bound {
        NumberBound::Minimum => {
            node.stated.minimum = Some(value.value);
            Keyword::Minimum
        }
        NumberBound::Maximum => {
            node.stated.maximum = Some(value.value);
            Keyword::Maximum
        }
        NumberBound::MultipleOf if value.value.as_f64() <= 0.0 => {
            return Err(place.problem_at(
                &value.range,
                Code::MarkerValue,
                "`multipleOf` must be larger than 0",
            ));
        }
        NumberBound::MultipleOf => {
            node.stated.multiple_of = Some(value.value);
            Keyword::MultipleOf
        }
    };
    node.note(keyword, place);
    Ok(())
}

/// States how long or how many, for the shape that the keyword is about.
pub(super) fn size(node: &mut Node<'_>, place: &Place, keyword: Keyword, value: Count) -> Outcome {
    let shape = match keyword {
        Keyword::MinItems | Keyword::MaxItems => Shape::Array,
        Keyword::MinProperties | Keyword::MaxProperties => Shape::Object,
        _ => Shape::Text,
    };
    node.require(place, shape)?;
    let slot = match keyword {
        Keyword::MinItems => &mut node.stated.min_items,
        Keyword::MaxItems => &mut node.stated.max_items,
        Keyword::MinProperties => &mut node.stated.min_properties,
        Keyword::MaxProperties => &mut node.stated.max_properties,
        Keyword::MinLength => &mut node.stated.min_length,
        _ => &mut node.stated.max_length,
    };
    *slot = Some(value.0);
    node.note(keyword, place);
    Ok(())
}
