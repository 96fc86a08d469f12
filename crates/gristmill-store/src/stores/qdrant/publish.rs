//! Lets a shadow answer.
//!
//! Where the collection of the settings holds nothing of others, its name becomes an alias of the new collection: in one
//! step when it is an alias already, else after the old collection was removed, since a collection and an alias cannot
//! have one name. Between these two requests nobody is answered; a run that ends there is finished by the next one.
//! Where others have points in it, theirs stay as they are and this tenant moves out: it is answered from a collection of
//! its own, which only this program knows to look for. Other programs must then ask that one.

use gristmill_core::Result;

use super::collection::Collection;
use super::control::Control;
use super::place::{CONTENT, alias_target, is_alone, set_alias};
use super::write::QdrantWriter;

/// Lets the shadow of the writer answer, and removes what answered before.
pub(super) fn publish(writer: &mut QdrantWriter) -> Result<()> {
    let Some(shadow) = writer.control.shadow.clone().filter(|_| writer.is_shadow) else { return Ok(()) };
    writer.lease.renew()?;
    let old = writer.control.answering.collection.clone();
    let control = Control { answering: shadow, shadow: None };
    if is_alone(&writer.base)? {
        take_name(writer, &control, &old)?;
    } else {
        move_out(writer, &control, &old)?;
    }
    writer.control = control;
    writer.is_shadow = false;
    Ok(())
}

fn take_name(writer: &QdrantWriter, control: &Control, old: &str) -> Result<()> {
    let base = &writer.base;
    control.write(&writer.collection)?;
    writer.lease.copy_to(&writer.collection)?;
    let target = alias_target(base)?;
    match &target {
        Some(target) => {
            set_alias(base, &writer.collection.name, true)?;
            Collection::new(&base.scope, target).drop_collection()?;
        }
        None => {
            base.drop_collection()?;
            set_alias(base, &writer.collection.name, false)?;
        }
    }
    if old != base.name && Some(old) != target.as_deref() {
        Collection::new(&base.scope, old).drop_collection()?;
    }
    Ok(())
}

fn move_out(writer: &QdrantWriter, control: &Control, old: &str) -> Result<()> {
    let base = &writer.base;
    control.write(base)?;
    if old == base.name {
        return base.remove_where(&base.scope.filter(CONTENT, []));
    }
    Collection::new(&base.scope, old).drop_collection()
}
