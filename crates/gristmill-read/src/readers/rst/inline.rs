//! Titles without their inline markup.

/// The words of `text`: literals, roles, references and emphasis give what they show.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let (before, quoted) = rest.split_at(at);
        let ticks = if quoted.starts_with("``") { 2 } else { 1 };
        let Some(end) = quoted[ticks..].find(&"``"[..ticks]) else { break };
        let inner = &quoted[ticks..ticks + end];
        let shown = without_role(before);
        push_prose(&mut out, shown);
        out.push_str(if ticks == 2 { inner } else { shown_part(inner, shown.len() < before.len()) });
        rest = quoted[2 * ticks + end..].trim_start_matches('_');
    }
    push_prose(&mut out, rest);
    out.trim().to_owned()
}

/// `before` up to the role that stands at its end.
fn without_role(before: &str) -> &str {
    let Some(inner) = before.strip_suffix(':') else { return before };
    match inner.rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '+' | '.'))) {
        Some(at) if inner[at..].contains(':') => &before[..at + inner[at..].find(':').unwrap_or(0)],
        None if inner.starts_with(':') => "",
        _ => before,
    }
}

/// What `title <target>` and `~module.Name` show.
fn shown_part(inner: &str, has_role: bool) -> &str {
    if let Some((title, _)) = inner.split_once(" <").filter(|(_, target)| target.ends_with('>')) {
        return title;
    }
    match inner.strip_prefix('~').filter(|_| has_role) {
        Some(target) => target.rsplit('.').next().unwrap_or(target),
        None => inner.trim_start_matches('!'),
    }
}

/// Prose without the marks of emphasis and with escapes resolved.
fn push_prose(out: &mut String, text: &str) {
    let mut escaped = false;
    for c in text.chars() {
        match c {
            '\\' if !escaped => escaped = true,
            '*' if !escaped => {}
            _ => {
                out.push(c);
                escaped = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn markup_goes_and_words_stay() {
        for (text, words) in [
            ("Plain title", "Plain title"),
            ("The ``ModelForm`` class", "The ModelForm class"),
            ("Using :meth:`~django.db.Model.save` *now*", "Using save now"),
            (":class:`Field` options", "Field options"),
            ("See `the docs <https://x>`_ for more", "See the docs for more"),
            ("\\*args and **kwargs**", "*args and kwargs"),
            ("An odd ` tick", "An odd ` tick"),
            ("Time: `now`", "Time: now"),
        ] {
            assert_eq!(plain(text), words);
        }
    }
}
