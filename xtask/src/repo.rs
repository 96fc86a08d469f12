//! Where the repository is and what cargo knows about it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process;

/// The folder of the repository. Cargo tells it at run time, so that a binary from a moved checkout is right as well.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().map(Path::to_path_buf).unwrap_or(here)
}

/// Cargo, started in the repository.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// `cargo metadata` of the workspace's own packages.
pub fn metadata() -> Result<Value, String> {
    parsed_metadata(&["--no-deps"])
}

/// `cargo metadata` of all packages that are built on this kind of machine.
pub fn metadata_of_this_machine() -> Result<Value, String> {
    let version = process::output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("`rustc -vV` names no host")?;
    parsed_metadata(&["--locked", "--filter-platform", host])
}

fn parsed_metadata(args: &[&str]) -> Result<Value, String> {
    let text = process::output(&mut cargo(&[&["metadata", "--format-version", "1"], args].concat()))?;
    serde_json::from_str(&text).map_err(|error| format!("`cargo metadata` is no JSON: {error}"))
}

/// Builds the command line tool and tells where it is.
pub fn binary(release: bool) -> Result<PathBuf, String> {
    // A release build takes minutes, during which cargo is to show what it does.
    let mode = if release { "--release" } else { "--quiet" };
    let args = ["build", "--package", "gristmill-cli", "--locked", mode];
    process::run(&mut cargo(&args))?;
    let profile = if release { "release" } else { "debug" };
    Ok(target()?.join(profile).join(format!("gristmill{}", std::env::consts::EXE_SUFFIX)))
}

/// Cargo's target folder.
pub fn target() -> Result<PathBuf, String> {
    let metadata = metadata()?;
    let folder = metadata["target_directory"].as_str().ok_or("`cargo metadata` names no target folder")?;
    Ok(PathBuf::from(folder))
}
