//! Prints the JSON Schema of the record, or of the run report with the argument `report`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    let report = std::env::args().nth(1).is_some_and(|name| name == "report");
    let schema = if report { gristmill_format::report::report_schema() } else { gristmill_format::record_schema() };
    writeln!(std::io::stdout().lock(), "{schema:#}")
}
