//! Colour, and the room there is for it.

use std::ffi::OsString;
use std::fmt::Display;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use clap::builder::Styles;

use crate::args::Color;

/// What failed.
pub const RED: Style = AnsiColor::Red.on_default().bold();
/// What wants a look.
pub const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
/// What helps.
pub const CYAN: Style = AnsiColor::Cyan.on_default().bold();
/// What is to be seen first.
pub const BOLD: Style = Style::new().bold();
/// What is to be seen last.
pub const DIM: Style = Style::new().dimmed();
/// A word that was searched.
pub const FOUND: Style = AnsiColor::Yellow.on_default().bold();

/// What comes to be.
pub const ADDED: Style = AnsiColor::Green.on_default();
/// What becomes another.
pub const CHANGED: Style = AnsiColor::Yellow.on_default();
/// What goes elsewhere.
pub const MOVED: Style = AnsiColor::Cyan.on_default();
/// What goes.
pub const REMOVED: Style = AnsiColor::Red.on_default();

/// Styles of help.
pub const STYLES: Styles = Styles::styled()
    .header(BOLD)
    .usage(BOLD)
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(Style::new())
    .error(RED)
    .valid(AnsiColor::Green.on_default())
    .invalid(AnsiColor::Yellow.on_default());

/// The text in a style. The streams take it out where colour is not wanted.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Settles the use of colour before anything can be said, thus before arguments are parsed.
pub fn settle(args: impl Iterator<Item = OsString>) {
    let choice = match asked_for(args) {
        Some(Color::Always) => ColorChoice::Always,
        Some(Color::Never) => ColorChoice::Never,
        Some(Color::Auto) | None => ColorChoice::Auto,
    };
    choice.write_global();
}

/// The value of `--color`; the parser complains about a wrong one.
fn asked_for(mut args: impl Iterator<Item = OsString>) -> Option<Color> {
    let mut asked = None;
    while let Some(arg) = args.next().filter(|arg| arg != "--") {
        let value = match arg.to_str() {
            Some("--color") => args.next().and_then(|value| value.into_string().ok()),
            Some(arg) => arg.strip_prefix("--color=").map(str::to_owned),
            None => None,
        };
        asked = value.and_then(|value| Color::from_str(&value, false).ok()).or(asked);
    }
    asked
}

/// Columns where nothing tells.
const COLUMNS: usize = 100;

/// Columns of the terminal that standard output goes to.
pub fn columns() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    size.or_else(told).filter(|columns| *columns > 0).unwrap_or(COLUMNS)
}

/// The text on one line with control characters written out, so that a name or a document cannot steer the terminal.
pub fn visible(text: &str) -> String {
    let steers = |c: char| c.is_control() && c != '\t';
    if !text.chars().any(steers) {
        return text.to_owned();
    }
    text.chars().map(|c| if steers(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_colour_holds() {
        let asked = |line: &str| asked_for(line.split(' ').map(OsString::from));
        assert_eq!(asked("gristmill chunk a"), None);
        assert_eq!(asked("gristmill --color always chunk --color=never"), Some(Color::Never));
        assert_eq!(asked("gristmill --color=always chunk -- --color=never"), Some(Color::Always));
        assert_eq!(asked("gristmill --color"), None);
    }

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(visible("a\u{1b}[31mb\tc\nd"), "a\\u{1b}[31mb\tc\\u{a}d");
        assert_eq!(visible("plain 한"), "plain 한");
    }
}
