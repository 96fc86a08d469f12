//! Which process holds a right to write, so that one that was killed does not bar the next run of the same machine.

use std::path::Path;

/// The names of this process: of the system as it runs now, of its process numbers, and its own number. `None` where the
/// system does not tell.
pub(super) fn own() -> Option<String> {
    Some(format!("{} {}", place()?, std::process::id()))
}

/// True for a process of this system that has ended. Of others nothing is known.
pub(super) fn has_ended(process: &str) -> bool {
    let Some((there, number)) = process.rsplit_once(' ') else { return false };
    let number: Option<u32> = number.parse().ok();
    place().is_some_and(|here| here == there)
        && number.is_some_and(|number| !Path::new("/proc").join(number.to_string()).exists())
}

/// Where process numbers mean the same: one start of one system, one space of process numbers.
fn place() -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let numbers = std::fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", boot.trim(), numbers.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_processes_of_this_system_are_known_to_have_ended() {
        let Some(own) = own() else { return };
        assert!(!has_ended(&own));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = format!("{} {}", place().unwrap(), child.id());
        child.wait().unwrap();
        assert!(has_ended(&gone));
        assert!(!has_ended(&gone.replacen(|c: char| c.is_ascii_hexdigit(), "x", 1)), "another system");
        assert!(!has_ended("") && !has_ended("nonsense"));
    }
}
