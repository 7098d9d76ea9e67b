//! Random objects of the kind `Thing`.

use serde_json::{Map, Value, json};

/// A source of objects. The same seed gives the same objects.
pub struct Random {
    pub numbers: fastrand::Rng,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self {
            numbers: fastrand::Rng::with_seed(seed),
        }
    }

    pub fn is(&mut self, percent: u32) -> bool {
        self.numbers.u32(0..100) < percent
    }

    pub fn of<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        self.numbers.choice(choices).copied().unwrap_or_default()
    }

    pub fn add_metadata(&mut self, body: &mut Value) {
        for key in ["labels", "annotations"] {
            if self.is(20) {
                body["metadata"][key] =
                    self.map(&["x", "y", "a.b/c"], |random| json!(random.of(&["1", "2"])));
            }
        }
        if self.is(8) {
            let list = self.list(&["example.org/a", "example.org/b", "example.org/c"], |name| {
                json!(name)
            });
            body["metadata"]["finalizers"] = list;
        }
        if self.is(8) {
            let list = self.list(
                &["u1", "u2"],
                |uid| json!({"apiVersion": "v1", "kind": "ConfigMap", "name": uid, "uid": uid}),
            );
            body["metadata"]["ownerReferences"] = list;
        }
    }

    /// Returns some of the entries, in random order.
    pub fn list(&mut self, choices: &[&str], item: impl Fn(&str) -> Value) -> Value {
        let mut choices: Vec<_> = choices.iter().filter(|_| self.is(60)).collect();
        self.numbers.shuffle(&mut choices);
        choices.into_iter().map(|choice| item(choice)).collect()
    }

    pub fn map(&mut self, keys: &[&str], value: impl Fn(&mut Self) -> Value) -> Value {
        let mut map = Map::new();
        for key in keys {
            if self.is(50) {
                map.insert((*key).to_owned(), value(self));
            }
        }
        Value::Object(map)
    }

    pub fn text(&mut self) -> Value {
        json!(self.of(&["a", "b", "c"]))
    }

    pub fn small(&mut self) -> Value {
        json!(self.numbers.u32(1..4))
    }

    /// Returns a `spec` that has each field with this probability.
    pub fn spec(&mut self, percent: u32) -> Value {
        const FIELDS: &[&str] = &[
            "size", "color", "note", "ratio", "on", "at", "nested", "pair", "words", "limits", "groups",
            "block", "sealed", "ports", "rooms", "tags", "numbers", "steps", "plain", "free", "any", "mixed",
            "template",
        ];
        let mut spec = Map::new();
        for field in FIELDS {
            if self.is(percent) {
                spec.insert((*field).to_owned(), self.field(field));
            }
        }
        Value::Object(spec)
    }

    fn field(&mut self, field: &str) -> Value {
        match field {
            "size" => self.small(),
            "note" if self.is(30) => Value::Null,
            "color" | "note" => self.text(),
            "ratio" => json!(*self.numbers.choice(&[0.5, 1.5, 2.0]).unwrap()),
            "on" => json!(self.numbers.bool()),
            "at" => json!(self.of(&["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"])),
            "nested" => self
                .map(&["mode", "deep"], |random| random.text())
                .as_object()
                .map_or_else(
                    || json!({}),
                    |map| {
                        let mut map = map.clone();
                        if map.contains_key("deep") {
                            map.insert("deep".to_owned(), json!({"level": 3}));
                        }
                        Value::Object(map)
                    },
                ),
            "pair" => self.map(&["x", "y"], Self::text),
            "words" => self.map(&["k1", "k2", "k3"], Self::text),
            "sealed" => self.map(&["k1", "k2"], Self::text),
            "block" => self.map(&["a", "b"], Self::text),
            "limits" => self.map(&["cpu", "memory"], |random| {
                if random.is(50) {
                    random.small()
                } else {
                    random.text()
                }
            }),
            "groups" => self.map(&["g1", "g2"], |random| random.map(&["a", "b"], Self::text)),
            "ports" => self.ports(),
            "rooms" => self.rooms(),
            "tags" => self.list(&["t1", "t2", "t3", "t4"], |tag| json!(tag)),
            "numbers" => self.list(&["1", "2", "30000000"], |number| {
                json!(number.parse::<i64>().unwrap())
            }),
            "steps" => self.list(&["s1", "s2"], |step| json!({"do": step})),
            "plain" => self.list(&["p1", "p2"], |item| json!(item)),
            "free" => self
                .map(&["known", "other", "inner", "list"], |_| Value::Null)
                .as_object()
                .map_or_else(
                    || json!({}),
                    |map| {
                        let mut map = map.clone();
                        for (name, value) in &mut map {
                            *value = match &**name {
                                "known" => self.small(),
                                "inner" => self.map(&["z", "q"], Self::text),
                                "list" => self.list(&["l1", "l2"], |item| json!(item)),
                                _ => self.anything(),
                            };
                        }
                        Value::Object(map)
                    },
                ),
            "any" => self.anything(),
            "mixed" => {
                if self.is(50) {
                    self.small()
                } else {
                    self.text()
                }
            }
            _ => json!({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": "p", "labels": self.map(&["x", "y"], Self::text)},
                "extra": self.anything(),
            }),
        }
    }

    fn anything(&mut self) -> Value {
        match self.numbers.u32(0..5) {
            0 => self.small(),
            1 => self.text(),
            2 => self.list(&["l1", "l2"], |item| json!(item)),
            3 => json!({"deep": self.map(&["a", "b"], Self::text)}),
            _ => self.map(&["a", "b"], Self::text),
        }
    }

    fn ports(&mut self) -> Value {
        let list = self.list(
            &["80", "443", "8080"],
            |port| json!({"port": port.parse::<i64>().unwrap()}),
        );
        let Value::Array(mut ports) = list else {
            return list;
        };
        for port in &mut ports {
            if self.is(50) {
                port["protocol"] = json!(self.of(&["TCP", "UDP"]));
            }
            if self.is(40) {
                port["name"] = self.text();
            }
            if self.is(30) {
                port["flags"] = self.list(&["f1", "f2", "f3"], |flag| json!(flag));
            }
            if self.is(30) {
                port["options"] = self.map(&["a", "b"], Self::text);
            }
        }
        Value::Array(ports)
    }

    fn rooms(&mut self) -> Value {
        let list = self.list(&["r1", "r2", "r3"], |name| json!({"name": name}));
        let Value::Array(mut rooms) = list else {
            return list;
        };
        for room in &mut rooms {
            if self.is(50) {
                room["seats"] = self.small();
            }
            if self.is(40) {
                room["beds"] = self.list(
                    &["1", "2"],
                    |id| json!({"id": id.parse::<i64>().unwrap(), "soft": true}),
                );
            }
        }
        Value::Array(rooms)
    }
}
