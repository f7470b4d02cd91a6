import type { Command, Option } from "commander";
import { CliError, EXIT_CODES } from "./cli-error.ts";
import type { Program } from "./command-groups.ts";

/** Each script asks the program for the words that can follow, one a line. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_purser() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(purser complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _purser purser
`,
  zsh: `#compdef purser
_purser() {
  local -a found
  found=("\${(@f)$(purser complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  compadd -- $found
}
if [ "$funcstack[1]" = "_purser" ]; then _purser "$@"; else compdef _purser purser; fi
`,
  fish: `complete -c purser -f -a '(purser complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

const HOW: Readonly<Record<string, string>> = {
  bash: 'eval "$(purser completion bash)" in ~/.bashrc',
  zsh: 'eval "$(purser completion zsh)" in ~/.zshrc, after compinit',
  fish: "purser completion fish > ~/.config/fish/completions/purser.fish",
};

export function completionCommands({ program, run, out }: Program): void {
  program
    .command("completion")
    .description("Print the completion script of a shell: bash, zsh or fish.")
    .argument("<shell>")
    .action(
      run(async ({ output }, _options, [shell = ""]) => {
        const text = SCRIPTS[shell];
        if (text === undefined) {
          throw new CliError({
            message: "The shell must be bash, zsh or fish.",
            code: "invalid_shell",
            exitCode: EXIT_CODES.usage,
          });
        }
        output.refuseFile();
        // A shell reads the script from a pipe, so it is never JSON.
        output.raw(text, [HOW[shell] ?? ""]);
      }),
    );
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    // A shell evaluates what this prints, so it reads nothing but the table of commands.
    .action((words: readonly string[]) =>
      out(
        candidates(program, words)
          .map((word) => `${word}\n`)
          .join(""),
      ),
    );
}

/** Returns the commands, options or values of an option that can follow. The last word is the unfinished one. */
function candidates(program: Command, words: readonly string[]): readonly string[] {
  const unfinished = words.at(-1) ?? "";
  let command = program;
  for (const word of words.slice(0, -1)) command = command.commands.find((one) => one.name() === word) ?? command;
  const options = [...command.options, ...program.options].filter((option) => !option.hidden);
  const before = options.find((option) => option.long === words.at(-2) || option.short === words.at(-2));
  if (before !== undefined && takesValue(before)) return startingWith(unfinished, before.argChoices ?? []);
  const names = command.commands.filter((one) => one.name() !== "complete").map((one) => one.name());
  const found = unfinished.startsWith("-") ? options.map(({ long }) => long ?? "").filter(Boolean) : names;
  return startingWith(unfinished, [...new Set(found)]);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function startingWith(start: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith(start));
}
