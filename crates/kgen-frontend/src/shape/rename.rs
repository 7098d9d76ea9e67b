//! serde's rules for renaming fields and variants.

/// A value of `rename_all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RenameRule {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl RenameRule {
    /// Every rule with its name in attributes.
    pub(crate) const ALL: &'static [(&'static str, Self)] = &[
        ("lowercase", Self::Lower),
        ("UPPERCASE", Self::Upper),
        ("PascalCase", Self::Pascal),
        ("camelCase", Self::Camel),
        ("snake_case", Self::Snake),
        ("SCREAMING_SNAKE_CASE", Self::ScreamingSnake),
        ("kebab-case", Self::Kebab),
        ("SCREAMING-KEBAB-CASE", Self::ScreamingKebab),
    ];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, rule)| *rule)
    }

    /// Renames a field, which is written in snake case.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal_of_snake(name),
            Self::Camel => lower_first(&pascal_of_snake(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Renames a variant, which is written in Pascal case.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => lower_first(name),
            Self::Snake => snake_of_pascal(name),
            Self::ScreamingSnake => snake_of_pascal(name).to_ascii_uppercase(),
            Self::Kebab => snake_of_pascal(name).replace('_', "-"),
            Self::ScreamingKebab => snake_of_pascal(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal_of_snake(name: &str) -> String {
    let mut result = String::with_capacity(name.len());
    let mut capital = true;
    for character in name.chars() {
        if character == '_' {
            capital = true;
        } else if capital {
            result.push(character.to_ascii_uppercase());
            capital = false;
        } else {
            result.push(character);
        }
    }
    result
}

fn lower_first(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_ascii_lowercase().to_string() + characters.as_str()
    })
}

fn snake_of_pascal(name: &str) -> String {
    let mut result = String::with_capacity(name.len() + 4);
    for (index, character) in name.char_indices() {
        if index > 0 && character.is_uppercase() {
            result.push('_');
        }
        result.push(character.to_ascii_lowercase());
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_those_of_serde() {
        let names = |rule: RenameRule| (rule.field("very_tasty"), rule.variant("VeryTasty"));
        let pair = |field: &str, variant: &str| (field.to_owned(), variant.to_owned());
        assert_eq!(names(RenameRule::Lower), pair("very_tasty", "verytasty"));
        assert_eq!(names(RenameRule::Upper), pair("VERY_TASTY", "VERYTASTY"));
        assert_eq!(names(RenameRule::Pascal), pair("VeryTasty", "VeryTasty"));
        assert_eq!(names(RenameRule::Camel), pair("veryTasty", "veryTasty"));
        assert_eq!(names(RenameRule::Snake), pair("very_tasty", "very_tasty"));
        assert_eq!(
            names(RenameRule::ScreamingSnake),
            pair("VERY_TASTY", "VERY_TASTY")
        );
        assert_eq!(names(RenameRule::Kebab), pair("very-tasty", "very-tasty"));
        assert_eq!(
            names(RenameRule::ScreamingKebab),
            pair("VERY-TASTY", "VERY-TASTY")
        );
        assert_eq!(RenameRule::Camel.field("_x"), "x");
        assert_eq!(RenameRule::Camel.field(""), "");
    }
}
