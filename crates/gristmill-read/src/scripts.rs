//! Figures above and below the line, as Unicode has them: 10⁶, H₂O.

/// The character as it is set above the line.
pub(crate) fn superscript(c: char) -> Option<char> {
    Some(match c {
        '+' => '⁺',
        '-' | '−' => '⁻',
        '(' => '⁽',
        ')' => '⁾',
        'n' => 'ⁿ',
        c => figure(c, ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'])?,
    })
}

/// The character as it is set below the line.
#[cfg(feature = "html")]
pub(crate) fn subscript(c: char) -> Option<char> {
    Some(match c {
        '+' => '₊',
        '-' | '−' => '₋',
        '(' => '₍',
        ')' => '₎',
        'n' => 'ₙ',
        c => figure(c, ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'])?,
    })
}

fn figure(c: char, figures: [char; 10]) -> Option<char> {
    figures.get(c.to_digit(10)? as usize).copied()
}
