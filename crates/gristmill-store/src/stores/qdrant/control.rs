//! Which collections a tenant has. One point in the collection of the settings tells where the tenant is answered from
//! (that collection, unless it had to move out of one that is shared) and which shadow grows.

use gristmill_core::{Result, VectorSpec};
use serde_json::{Map, Value, json};

use super::collection::{Collection, Found, Wanted};
use super::point::{Fields, named, written};
use super::scope::kind;

/// A collection and the model whose vectors a tenant has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) collection: String,
    pub(super) spec: VectorSpec,
}

/// The tenant's collections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Control {
    pub(super) answering: Place,
    pub(super) shadow: Option<Place>,
}

impl Control {
    /// The one that the collection of the settings holds; `None` before the first write.
    pub(super) fn read(base: &Collection) -> Result<Option<Self>> {
        let found = base.retrieve(&[base.scope.control_point()], &Wanted::payload())?;
        found.first().map(|found| Self::of(base, found)).transpose()
    }

    fn of(base: &Collection, found: &Found) -> Result<Self> {
        let fields = base.fields(found);
        let moved = fields.get("answers").and_then(Value::as_str);
        let answering = place(&fields, moved.unwrap_or(&base.name), "")?;
        let shadow = fields.get("shadow").and_then(Value::as_str);
        let shadow = shadow.map(|name| place(&fields, name, "shadow_")).transpose()?;
        Ok(Self { answering, shadow })
    }

    /// Stores it.
    pub(super) fn write(&self, base: &Collection) -> Result<()> {
        let mut fields = Map::new();
        let mut tell = |place: &Place, prefix: &str| {
            fields.insert(format!("{prefix}model"), place.spec.model.as_str().into());
            fields.insert(format!("{prefix}dimensions"), json!(place.spec.dimensions));
        };
        tell(&self.answering, "");
        if let Some(shadow) = &self.shadow {
            tell(shadow, "shadow_");
            fields.insert("shadow".into(), shadow.collection.as_str().into());
        }
        if self.answering.collection != base.scope.base {
            fields.insert("answers".into(), self.answering.collection.as_str().into());
        }
        let payload = named(&base.scope, kind::CONTROL, fields);
        base.put(&[written(base.scope.control_point(), "{}", &payload)?])
    }
}

fn place(fields: &Fields<'_>, collection: &str, prefix: &str) -> Result<Place> {
    let model = fields.text(&format!("{prefix}model"))?.to_owned();
    let dimensions = fields.get(&format!("{prefix}dimensions")).and_then(Value::as_u64);
    let dimensions = dimensions.and_then(|length| usize::try_from(length).ok());
    Ok(Place { collection: collection.to_owned(), spec: VectorSpec { model, dimensions } })
}
