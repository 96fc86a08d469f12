//! Colour, where the caller wants it.

use anstyle::{AnsiColor, Style};
use gristmill_core::Severity;

/// Puts text into styles, or leaves it as it is.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    pub(super) colour: bool,
}

impl Paint {
    pub(super) fn bold(self, text: &str) -> String {
        self.put(Style::new().bold(), text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.put(Style::new().dimmed(), text)
    }

    pub(super) fn gone(self, text: &str) -> String {
        self.put(AnsiColor::Red.on_default(), text)
    }

    pub(super) fn added(self, text: &str) -> String {
        self.put(AnsiColor::Green.on_default(), text)
    }

    pub(super) fn severity(self, severity: Severity, text: &str) -> String {
        self.put(style(severity), text)
    }

    fn put(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::High => AnsiColor::Red.on_default().bold(),
        Severity::Medium => AnsiColor::Yellow.on_default().bold(),
        Severity::Low => AnsiColor::Cyan.on_default().bold(),
        Severity::Info => Style::new().dimmed(),
    }
}
