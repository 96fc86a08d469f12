//! The page docs/reference/commands.md, from the definitions of the commands.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Arg, Command, CommandFactory};
use gristmill::Result;

use crate::args::Cli;
use crate::output::write_text;

const HEAD: &str = "\
# Commands

<!-- Made by `cargo xtask generate` from the program; not to be edited. -->

Data goes to standard output, everything else to standard error. Nothing asks for input. A closed pipe is no error.

| exit code | means |
| ---: | --- |
| 0 | done |
| 1 | a gate failed, such as `--fail-on` |
| 2 | wrong usage, settings or input; nothing could be read |
| 3 | a mistake in gristmill |
| 4 | finished, but some documents failed; also when the only document failed |
| 5 | a store or service out of reach, or a guard stopped the run before anything was written |
| 130 | interrupted |
";

/// Prints the page.
pub fn run() -> Result<ExitCode> {
    let mut whole = Cli::command();
    whole.build();
    let mut page = HEAD.to_owned();
    for command in shown(&whole) {
        section(&mut page, command, "gristmill");
    }
    let global: Vec<&Arg> = whole.get_arguments().filter(|arg| is_global(arg)).collect();
    page.push_str("\n## Options of all commands\n\n");
    table(&mut page, &global);
    write_text(None, &page)?;
    Ok(ExitCode::SUCCESS)
}

/// All but those that only help.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
}

fn is_global(arg: &Arg) -> bool {
    arg.get_help_heading() == Some("Global options")
}

fn section(page: &mut String, command: &Command, above: &str) {
    let name = format!("{above} {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    if command.has_subcommands() {
        for command in shown(command) {
            section(page, command, &name);
        }
        return;
    }
    let own: Vec<&Arg> = command.get_arguments().filter(|arg| !is_global(arg) && !arg.is_hide_set()).collect();
    let positional = own.iter().filter(|arg| arg.is_positional());
    let positional: Vec<String> =
        positional.map(|arg| if arg.is_required_set() { label(arg) } else { format!("[{}]", label(arg)) }).collect();
    let options = if own.iter().any(|arg| !arg.is_positional()) { " [OPTIONS]" } else { "" };
    let usage = format!("{name} {}", positional.join(" "));
    let _ = write!(page, "\n## {name}\n\n{about}.\n\n```text\n{}{options}\n```\n", usage.trim_end());
    if !own.is_empty() {
        page.push('\n');
        table(page, &own);
    }
}

fn table(page: &mut String, args: &[&Arg]) {
    page.push_str("| option | what it says |\n| --- | --- |\n");
    for arg in args {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let default: Vec<String> =
            arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
        let takes_value = arg.get_num_args().is_some_and(|values| values.takes_values());
        let default = if takes_value && !default.is_empty() && !arg.is_hide_default_value_set() {
            format!(" [default: {}]", default.join(" "))
        } else {
            String::new()
        };
        let _ = writeln!(page, "| `{}` | {} |", label(arg), format!("{help}{default}").replace('|', "\\|"));
    }
}

/// `-o, --output FILE`, or `PATH…` for what has no name.
fn label(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let value = names.first().map_or(arg.get_id().as_str(), |name| name.as_str());
    if arg.is_positional() {
        let many = arg.get_num_args().is_some_and(|values| values.max_values() > 1);
        return format!("{}{}", value.to_uppercase(), if many { "…" } else { "" });
    }
    let names = [arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}"))];
    let names: Vec<String> = names.into_iter().flatten().collect();
    let takes_value = arg.get_num_args().is_some_and(|values| values.takes_values());
    if takes_value { format!("{} {value}", names.join(", ")) } else { names.join(", ") }
}
