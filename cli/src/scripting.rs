//! The scripts that make a shell ask for completions, and what bash needs besides.

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_complete::env::{EnvCompleter, Shells};

use crate::args::Cli;
use crate::completing::VARIABLE;

/// Wraps what bash calls. Bash breaks words at `:` and `=`, and replaces only what follows the last break: the words are
/// put together again, and what stands before the break is taken off what is offered. Bash puts a word into the line as
/// it is, so one with spaces is quoted here, unless the person began with a quote, and what they quoted before is asked
/// for without the backslashes.
const BASH_QUOTES: &str = r#"
_svc_quoted() {
    local words=() rest=$COMP_LINE index piece current=0 before= whole=
    for index in "${!COMP_WORDS[@]}"; do
        piece=${COMP_WORDS[index]}
        if ((${#words[@]} > 0)) && [[ -n $piece && -n $rest && $rest != [[:space:]]* ]]; then
            before=$whole
            whole+=$piece
            words[${#words[@]} - 1]=$whole
        else
            before=
            whole=$piece
            words+=("$piece")
        fi
        [[ -n $piece ]] && rest=${rest#*"$piece"}
        ((index == COMP_CWORD)) && break
    done
    current=$((${#words[@]} - 1))
    [[ $piece == [:=] ]] && before=$whole
    local quoted=$piece
    local COMP_WORDS=("${words[@]}") COMP_CWORD=$current
    before=${before//\\/}
    _clap_complete_svc "$1" "$before${2//\\/}" "$3"
    for index in "${!COMPREPLY[@]}"; do
        COMPREPLY[index]=${COMPREPLY[index]#"$before"}
        [[ $quoted == \"* ]] && COMPREPLY[index]=${COMPREPLY[index]//\"/\\\"}
        [[ $quoted != [\"\']* && ${COMPREPLY[index]} == *[[:space:]\"\'\$\`\&\;\|\<\>\(\)\*\?\[\#\!\\]* ]] &&
            COMPREPLY[index]=$(printf %q "${COMPREPLY[index]}")
    done
    return 0
}
"#;

/// The script that makes a shell ask.
pub(crate) fn script(shell: Shell) -> std::io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let mut script = Vec::new();
    match shells.completer(&shell.to_string()) {
        Some(known) => EnvCompleter::write_registration(known, VARIABLE, "svc", "svc", "svc", &mut script)?,
        None => clap_complete::generate(shell, &mut Cli::command(), "svc", &mut script),
    }
    Ok(if shell == Shell::Bash { quoting(&String::from_utf8_lossy(&script)).into_bytes() } else { script })
}

/// Bash's script with its words quoted.
fn quoting(script: &str) -> String {
    let registered = script.replace("-F _clap_complete_svc", "-F _svc_quoted");
    format!("{BASH_QUOTES}{registered}")
}
