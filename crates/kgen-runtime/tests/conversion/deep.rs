//! Values that are nested deeply, converted in a program.

use kgen_runtime::conversion::{Change, ConversionError};
use serde_json::{Value, json};

use crate::support::{conversion, forward, kept, widget};

/// Returns a value with a number of levels.
fn nested(levels: usize) -> Value {
    let mut value = json!(1);
    for _ in 0..levels {
        // `json!` would copy the value.
        value = Value::Object([("a".to_owned(), value)].into_iter().collect());
    }
    value
}

/// Runs a test that builds, compares and drops deep values itself.
fn on_large_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(512 * 1024 * 1024);
    thread.spawn(test).unwrap().join().unwrap();
}

#[test]
fn deep_values_are_copied_kept_and_restored() {
    on_large_stack(|| {
        let free = json!({"x-kubernetes-preserve-unknown-fields": true});
        let conversion = conversion(
            json!({"free": free, "note": free}),
            json!({"free": free}),
            Change::new().dropped("note"),
        );
        for levels in [100, 127, 128, 600, 9_900] {
            let spec = json!({"free": nested(levels), "note": nested(levels)});
            assert_eq!(forward(&conversion, spec), json!({"free": nested(levels)}));
        }
        // The kept value is deep, and the object is not.
        let object = widget("v1", json!({"note": nested(9_900)}));
        let mut converted = conversion.convert_json(object, "v2").unwrap();
        assert_eq!(converted["spec"], json!({}));
        converted["metadata"]["annotations"]["example.com/conversion-v1"] = json!("[".repeat(50_000));
        let back = conversion.convert_json(converted, "v1").unwrap();
        assert_eq!(back["spec"], json!({}));
        assert_eq!(kept(&back, "v2"), Value::Null);
        // No API server has such an object.
        let endless = widget("v1", json!({"free": nested(10_001)}));
        let error = conversion.convert_json(endless, "v2").unwrap_err();
        assert!(matches!(error, ConversionError::TooDeep(10_000)), "{error}");
    });
}
