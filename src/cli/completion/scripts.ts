/** Completion scripts of the three common shells. They call no program: all words stand in them. */
import type { Shell } from "./shells.ts";
import type { CompletionCommand, ValueKind } from "./words.ts";

interface Script {
  readonly commands: readonly CompletionCommand[];
  /** Names of label sheets. */
  readonly sheets: readonly string[];
}

const MANIFESTS = ["yaml", "yml", "json"] as const;
const SPREADSHEETS = ["csv", "tsv", "xlsx", "xlsm"] as const;

/** A text in single quotes; no shell looks into those. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const bashFiles = (endings: readonly string[]): string =>
  `_makeready_files '@(${endings.join("|")})'`;

const bashValues: Readonly<Record<Exclude<ValueKind, "words">, string>> = {
  manifest: bashFiles(MANIFESTS),
  spreadsheet: bashFiles(SPREADSHEETS),
  folder: 'COMPREPLY=($(compgen -d -- "$current"))',
  file: 'COMPREPLY=($(compgen -f -- "$current"))',
  sheet: 'COMPREPLY=($(compgen -W "$sheets" -- "$current"))',
  "sheet or manifest": `${bashFiles(MANIFESTS)}; COMPREPLY+=($(compgen -W "$sheets" -- "$current"))`,
  any: "COMPREPLY=()",
  none: "COMPREPLY=()",
};

function bashOf(kind: ValueKind, words: readonly string[]): string {
  if (kind !== "words") return bashValues[kind];
  return `COMPREPLY=($(compgen -W ${quote(words.join(" "))} -- "$current"))`;
}

function makeBash({ commands, sheets }: Script): string {
  const cases = commands.map(({ name, options, argument, words, second }) => {
    const taking = options.filter(({ value }) => value !== "none");
    return [
      `    ${name})`,
      `      case "$previous" in`,
      ...taking.map(({ flag, value }) => `        ${flag}) ${bashOf(value, [])}; return ;;`),
      "      esac",
      `      if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W ${quote([...options.map(({ flag }) => flag), "--help"].join(" "))} -- "$current"))`,
      `      elif [[ "$previous" == "$command" ]]; then ${bashOf(argument, words)}`,
      `      else ${bashOf(second === "none" && argument !== "words" ? argument : second, [])}; fi ;;`,
    ].join("\n");
  });
  return `# makeready completion for bash: source <(makeready completion bash)
_makeready_files() {
  local line
  COMPREPLY=()
  shopt -s extglob
  while IFS= read -r line; do
    if [[ -d "$line" ]]; then COMPREPLY+=("$line/")
    elif [[ "$line" == *.$1 ]]; then COMPREPLY+=("$line"); fi
  done < <(compgen -f -- "$current")
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == */ ]] && compopt -o nospace 2>/dev/null
  return 0
}
_makeready() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local sheets=${quote(sheets.join(" "))}
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W ${quote([...commands.map(({ name }) => name), "help", "--help", "--version"].join(" "))} -- "$current"))
    return
  fi
  case "$command" in
${cases.join("\n")}
  esac
}
complete -o filenames -F _makeready makeready
`;
}

/** Colons and brackets part the fields of zsh's own notation. */
const zshSays = (says: string): string => says.replace(/[[\]:]/gu, " ").replaceAll("'", "’");

const zshValues: Readonly<Record<ValueKind, string>> = {
  manifest: `_files -g "*.(${MANIFESTS.join("|")})"`,
  spreadsheet: `_files -g "*.(${SPREADSHEETS.join("|")})"`,
  folder: "_files -/",
  file: "_files",
  sheet: "_makeready_sheets",
  "sheet or manifest": `{_makeready_sheets; _files -g "*.(${MANIFESTS.join("|")})"}`,
  words: "",
  any: "( )",
  none: "( )",
};

function makeZsh({ commands, sheets }: Script): string {
  const names = commands.map(({ name, says }) => `    ${quote(`${name}:${zshSays(says)}`)}`);
  const cases = commands.map(({ name, options, argument, words, second }) => {
    const specs = [
      ...options.map(({ flag, says, value }) => {
        const takes = value === "none" ? "" : `:${value}:${zshValues[value]}`;
        return quote(`*${flag}[${zshSays(says)}]${takes}`);
      }),
      quote(`1:${argument}:${argument === "words" ? `(${words.join(" ")})` : zshValues[argument]}`),
      quote(`*:${second}:${zshValues[second === "none" ? argument : second] || "_files"}`),
    ];
    return `    ${name}) _arguments ${specs.join(" ")} ;;`;
  });
  return `#compdef makeready
# makeready completion for zsh: makeready completion zsh > "\${fpath[1]}/_makeready"
_makeready_sheets() { compadd -- ${sheets.map(quote).join(" ")} }
_makeready() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _makeready makeready
`;
}

function fishFiles(endings: readonly string[]): string {
  const suffixes = endings.map((ending) => `__fish_complete_suffix .${ending}`);
  return `"(__fish_complete_directories; ${suffixes.join("; ")})"`;
}

function fishValue(kind: ValueKind, words: readonly string[]): string {
  const values: Readonly<Record<ValueKind, string>> = {
    manifest: fishFiles(MANIFESTS),
    spreadsheet: fishFiles(SPREADSHEETS),
    folder: '"(__fish_complete_directories)"',
    file: '"(__fish_complete_path)"',
    sheet: '"$__makeready_sheets"',
    "sheet or manifest": fishFiles(MANIFESTS).replace(
      /\)"$/u,
      "; printf '%s\\n' $__makeready_sheets)\"",
    ),
    words: quote(words.join(" ")),
    any: "",
    none: "",
  };
  return values[kind];
}

const fishText = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function makeFish({ commands, sheets }: Script): string {
  const isFirst = `not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(" ")}`;
  const lines = commands.flatMap(({ name, says, options, argument, words, second }) => {
    const isHere = `"__fish_seen_subcommand_from ${name}"`;
    const given = [fishValue(argument, words), fishValue(second, [])].filter(
      (value) => value !== "",
    );
    return [
      `complete -c makeready -f -n "${isFirst}" -a ${name} -d ${fishText(says)}`,
      ...given.map((value) => `complete -c makeready -f -n ${isHere} -a ${value}`),
      ...options.map(({ flag, says: about, value }) => {
        const values = fishValue(value, []);
        const takes = value === "none" ? "" : ` -x${values === "" ? "" : ` -a ${values}`}`;
        return `complete -c makeready -f -n ${isHere} -l ${flag.slice(2)}${takes} -d ${fishText(about)}`;
      }),
    ];
  });
  return `# makeready completion for fish: makeready completion fish > ~/.config/fish/completions/makeready.fish
set -g __makeready_sheets ${sheets.join(" ")}
${lines.join("\n")}
`;
}

const makers: Readonly<Record<Shell, (script: Script) => string>> = {
  bash: makeBash,
  zsh: makeZsh,
  fish: makeFish,
};

export const makeScript = (shell: Shell, script: Script): string => makers[shell](script);
