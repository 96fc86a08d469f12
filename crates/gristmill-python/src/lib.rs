//! `gristmill._native`: what the Python package calls. Arguments in, the façade called, results out.
//!
//! Structured values cross the border as JSON text, which both sides read and write fast and without holding the other
//! up. Python's lock is released while the façade works.

mod curate;
mod documents;
mod evaluate;
mod failure;
mod lint;
mod outline;
mod pipeline;
mod records;
mod settings;
mod stop;
mod table;

use pyo3::prelude::*;

/// The functions of the module. Their types are in `_native.pyi`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::curate::curate;
    #[pymodule_export]
    use super::documents::{Files, check_options, chunk_files, chunk_given, extract, tokens};
    #[pymodule_export]
    use super::evaluate::evaluate_settings;
    #[cfg(debug_assertions)]
    #[pymodule_export]
    use super::failure::panic_on_purpose;
    #[pymodule_export]
    use super::lint::{Findings, check, check_table, repair, repair_table};
    #[pymodule_export]
    use super::pipeline::{embed, ingest_batch, ingest_sources, plan_of, search, stored};
    #[pymodule_export]
    use super::table::{Table, Vectors};

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
