//! Pairs of fields: copied, changed inside, filled in or translated.

use super::compare::{Comparison, Place};
use super::methods::Operand;
use super::plan::{Function, Line};
use super::values::{Pairing, widen};
use super::view::FieldView;

impl<'a> Comparison<'a, '_> {
    /// Returns the lines of two paired fields of the same structs.
    pub(super) fn pair(&mut self, older: &FieldView<'a>, newer: &FieldView<'a>, place: &Place) -> Vec<Line> {
        let (from, to) = (Operand::of_field(older), Operand::of_field(newer));
        if let Some(custom) = newer.field.conversion.custom {
            self.consulted.insert(custom);
            return self
                .translated(std::slice::from_ref(older), std::slice::from_ref(newer))
                .into_iter()
                .collect();
        }
        let inner = place.inside(older.name(), newer.name());
        let pairing = self.values((older.side(), newer.side()), (&from, &to), &inner);
        let fills_newer = newer.must_exist() && older.may_be_absent();
        let fills_older = older.must_exist() && newer.may_be_absent();
        let names = (older.name().to_owned(), newer.name().to_owned());
        let mut lines = Vec::new();
        match pairing {
            Pairing::Different => {
                return self
                    .translated(std::slice::from_ref(older), std::slice::from_ref(newer))
                    .into_iter()
                    .collect();
            }
            // One method both narrows the number and gives one where there is none.
            Pairing::Wider if fills_older => {
                let forward = widen(&from, &to)
                    .or_else(|| self.forward(std::slice::from_ref(&from), std::slice::from_ref(&to)));
                let backward = self.backward(std::slice::from_ref(&to), std::slice::from_ref(&from));
                lines.extend(translation(&names, forward, backward));
                if fills_newer {
                    lines.extend(self.filled(true, &to));
                }
                return lines;
            }
            Pairing::Narrower if fills_newer => {
                let forward = self.forward(std::slice::from_ref(&from), std::slice::from_ref(&to));
                let backward = widen(&to, &from)
                    .or_else(|| self.backward(std::slice::from_ref(&to), std::slice::from_ref(&from)));
                lines.extend(translation(&names, forward, backward));
                if fills_older {
                    lines.extend(self.filled(false, &from));
                }
                return lines;
            }
            Pairing::Wider => {
                if let Some(Function::Method(backward)) =
                    self.backward(std::slice::from_ref(&to), std::slice::from_ref(&from))
                {
                    let (older, newer) = names;
                    lines.push(Line::Widened {
                        older,
                        newer,
                        backward,
                    });
                }
            }
            Pairing::Narrower => {
                if let Some(Function::Method(forward)) =
                    self.forward(std::slice::from_ref(&from), std::slice::from_ref(&to))
                {
                    let (older, newer) = names;
                    lines.push(Line::Narrowed {
                        older,
                        newer,
                        forward,
                    });
                }
            }
            Pairing::Same if names.0 == names.1 => {}
            Pairing::Same => lines.push(Line::Paired {
                older: vec![names.0],
                newer: vec![names.1],
                contents: None,
            }),
            Pairing::Contents(contents) => lines.push(Line::Paired {
                older: vec![names.0],
                newer: vec![names.1],
                contents: Some(contents),
            }),
        }
        if fills_newer {
            lines.extend(self.filled(true, &to));
        }
        if fills_older {
            lines.extend(self.filled(false, &from));
        }
        lines
    }

    /// Returns the line of a field that one version requires and the other one may lack.
    fn filled(&mut self, is_newer: bool, target: &Operand<'a>) -> Option<Line> {
        let way = if is_newer {
            self.forward_way()
        } else {
            self.backward_way()
        };
        let fill = self.methods.fill(way, target, self.problems)?;
        Some(Line::Filled {
            is_newer,
            name: target.json_name.clone(),
            fill,
        })
    }

    /// Returns the line of fields that methods translate.
    pub(super) fn translated(&mut self, older: &[FieldView<'a>], newer: &[FieldView<'a>]) -> Option<Line> {
        let operands = |fields: &[FieldView<'a>]| fields.iter().map(Operand::of_field).collect::<Vec<_>>();
        let (older, newer) = (operands(older), operands(newer));
        let forward = self.forward(&older, &newer);
        let backward = self.backward(&newer, &older);
        let paths = |list: &[Operand<'a>]| list.iter().map(|one| vec![one.json_name.clone()]).collect();
        Some(Line::Translated {
            older: paths(&older),
            newer: paths(&newer),
            forward: forward?,
            backward: backward?,
        })
    }
}

fn translation(
    names: &(String, String),
    forward: Option<Function>,
    backward: Option<Function>,
) -> Option<Line> {
    Some(Line::Translated {
        older: vec![vec![names.0.clone()]],
        newer: vec![vec![names.1.clone()]],
        forward: forward?,
        backward: backward?,
    })
}
