//! Prints the JSON Schema of the record, or that of `report`, `scan` or `fix` when named.

use std::io::Write;

use gristmill_format::{findings, record_schema, report};

fn main() -> std::io::Result<()> {
    let schema = match std::env::args().nth(1).as_deref() {
        Some("report") => report::report_schema(),
        Some("scan") => findings::scan_schema(),
        Some("fix") => findings::fix_schema(),
        _ => record_schema(),
    };
    writeln!(std::io::stdout().lock(), "{schema:#}")
}
