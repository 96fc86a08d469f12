//! A guard against files that nest arrays or dictionaries so deep that a reader by recursion would run out of stack.

/// Levels that no honest file reaches, nor the bytes of its pictures by chance.
pub(super) const DEEPEST: usize = 20_000;

/// Stack of the thread that reads: room for [`DEEPEST`] levels many times over, used only when needed.
pub(super) const STACK: usize = 256 << 20;

/// True when `bytes` open more than [`DEEPEST`] arrays and dictionaries that are not closed. Bytes in strings count too: the
/// answer may be too strict.
pub(super) fn too_deep(bytes: &[u8]) -> bool {
    let (mut depth, mut before) = (0usize, 0u8);
    for byte in bytes {
        match byte {
            b'[' => depth += 1,
            b'<' if before == b'<' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'>' if before == b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
        before = *byte;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_closed_does_not_count() {
        assert!(!too_deep(&b"[<< /A [ 1 ] >>]".repeat(DEEPEST)));
        assert!(too_deep(&b"[".repeat(DEEPEST + 1)));
        assert!(too_deep(&b"<< /A ".repeat(DEEPEST + 1)));
    }
}
