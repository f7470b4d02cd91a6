import { join } from "node:path";
import ts from "typescript";
import { PROJECT_DIR } from "./local-profile.ts";

/**
 * Compiles programs that are not stored, with the repository's options. `sources` maps the name of each to its text. Returns a
 * line for each problem.
 */
export function typescriptProblems(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map([...sources].map(([name, source]) => [join(import.meta.dirname, name), source]));
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(PROJECT_DIR, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    PROJECT_DIR,
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, target) => {
    const source = files.get(name);
    return source === undefined ? getSourceFile(name, target) : ts.createSourceFile(name, source, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
  );
}
