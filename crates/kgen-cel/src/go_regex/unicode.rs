//! Unicode classes by name: `\pL`, `\p{Greek}`, `\P{^Lu}`.
//!
//! Go knows general categories by their long and short names, and scripts whose names are one word. It ignores case,
//! spaces, `-` and `_` in names, and therefore (since Go 1.25) no longer finds scripts whose names are two words.

use super::Refusal;
use super::cursor::Cursor;

/// General categories, with their names in Rust's dialect.
const CATEGORIES: [&str; 38] = [
    "C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "LC", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N",
    "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl",
    "Zp", "Zs",
];

const CATEGORY_ALIASES: [&str; 42] = [
    "Cased_Letter",
    "Close_Punctuation",
    "Combining_Mark",
    "Connector_Punctuation",
    "Control",
    "Currency_Symbol",
    "Dash_Punctuation",
    "Decimal_Number",
    "Enclosing_Mark",
    "Final_Punctuation",
    "Format",
    "Initial_Punctuation",
    "Letter",
    "Letter_Number",
    "Line_Separator",
    "Lowercase_Letter",
    "Mark",
    "Math_Symbol",
    "Modifier_Letter",
    "Modifier_Symbol",
    "Nonspacing_Mark",
    "Number",
    "Open_Punctuation",
    "Other",
    "Other_Letter",
    "Other_Number",
    "Other_Punctuation",
    "Other_Symbol",
    "Paragraph_Separator",
    "Private_Use",
    "Punctuation",
    "Separator",
    "Space_Separator",
    "Spacing_Mark",
    "Surrogate",
    "Symbol",
    "Titlecase_Letter",
    "Unassigned",
    "Uppercase_Letter",
    "cntrl",
    "digit",
    "punct",
];

const SCRIPTS: &[&str] = &[
    "Adlam",
    "Ahom",
    "Arabic",
    "Armenian",
    "Avestan",
    "Balinese",
    "Bamum",
    "Batak",
    "Bengali",
    "Bhaiksuki",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "Carian",
    "Chakma",
    "Cham",
    "Cherokee",
    "Chorasmian",
    "Common",
    "Coptic",
    "Cuneiform",
    "Cypriot",
    "Cyrillic",
    "Deseret",
    "Devanagari",
    "Dogra",
    "Duployan",
    "Elbasan",
    "Elymaic",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hanunoo",
    "Hatran",
    "Hebrew",
    "Hiragana",
    "Inherited",
    "Javanese",
    "Kaithi",
    "Kannada",
    "Katakana",
    "Kawi",
    "Kharoshthi",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "Lao",
    "Latin",
    "Lepcha",
    "Limbu",
    "Lisu",
    "Lycian",
    "Lydian",
    "Mahajani",
    "Makasar",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Marchen",
    "Medefaidrin",
    "Miao",
    "Modi",
    "Mongolian",
    "Mro",
    "Multani",
    "Myanmar",
    "Nabataean",
    "Nandinagari",
    "Newa",
    "Nko",
    "Nushu",
    "Ogham",
    "Oriya",
    "Osage",
    "Osmanya",
    "Palmyrene",
    "Phoenician",
    "Rejang",
    "Runic",
    "Samaritan",
    "Saurashtra",
    "Sharada",
    "Shavian",
    "Siddham",
    "Sinhala",
    "Sogdian",
    "Soyombo",
    "Sundanese",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "Takri",
    "Tamil",
    "Tangsa",
    "Tangut",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Toto",
    "Ugaritic",
    "Vai",
    "Vithkuqi",
    "Wancho",
    "Yezidi",
    "Yi",
];

/// Reads a class by its name, and returns it as an item of a bracketed class in Rust's dialect.
pub(super) fn class(cursor: &mut Cursor<'_>) -> Result<Option<String>, Refusal> {
    let rest = cursor.rest();
    let Some(behind) = rest.strip_prefix("\\p").or_else(|| rest.strip_prefix("\\P")) else {
        return Ok(None);
    };
    let mut negated = rest.starts_with("\\P");
    let (name, length) = if let Some(braced) = behind.strip_prefix('{') {
        let Some((name, _)) = braced.split_once('}') else {
            return Err("the `{` of a named class is never closed".to_owned());
        };
        (name, name.len() + 2)
    } else {
        let length = behind.chars().next().map_or(0, char::len_utf8);
        (behind.get(..length).unwrap_or_default(), length)
    };
    let shown = rest.get(..2 + length).unwrap_or(rest);
    let bare = name.strip_prefix('^').unwrap_or(name);
    if bare.len() < name.len() {
        negated = !negated;
    }
    let Some((class, opposite)) = in_rust(bare) else {
        return Err(format!("there is no class `{shown}`"));
    };
    cursor.skip(2 + length);
    Ok(Some(if negated == opposite {
        format!("[{class}]")
    } else {
        format!("[^{class}]")
    }))
}

/// Translates the name of a class. Also returns whether the class is negated.
fn in_rust(name: &str) -> Option<(String, bool)> {
    let plain = canonical(name);
    match plain.as_str() {
        "any" => return Some((r"\x{0}-\x{10FFFF}".to_owned(), false)),
        "ascii" => return Some((r"\x{0}-\x{7F}".to_owned(), false)),
        "assigned" => return Some((r"\p{gc=Cn}".to_owned(), true)),
        _ => {}
    }
    let same = |known: &&&str| canonical(known) == plain;
    if let Some(category) = CATEGORIES.iter().chain(&CATEGORY_ALIASES).find(same) {
        return Some((format!("\\p{{gc={category}}}"), false));
    }
    SCRIPTS
        .iter()
        .find(same)
        .map(|script| (format!("\\p{{sc={script}}}"), false))
}

fn canonical(name: &str) -> String {
    name.chars()
        .filter(|letter| !matches!(letter, '_' | '-' | ' '))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}
