//! Documents put together from pieces that are Markdown already.

/// Adds a piece after a blank line.
pub(crate) fn append(out: &mut String, piece: &str) {
    let piece = piece.trim_matches('\n').trim_end();
    if piece.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(piece);
    out.push('\n');
}
