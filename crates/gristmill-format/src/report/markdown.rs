//! The quality report for people, in Markdown.

use super::RunReport;

/// The whole report as Markdown.
pub fn markdown(report: &RunReport) -> String {
    super::short(report)
}
