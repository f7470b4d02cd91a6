import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const SOURCE_LINES_MAX = 400;
const TEST_LINES_MAX = 800;
const SOURCES_IN_FOLDER_MAX = 25;
const GENERATED =
  /^(service\/src\/db\/schema\.generated\.ts$|sdk\/typescript\/src\/api-(types|resources)\.ts$|dashboard\/src\/api\/api-types\.ts$|contracts\/abi\/)/;

/** Returns the files of a Git work tree that match a pattern and are not generated. */
export function writtenFiles(root: string, ...patterns: string[]): string[] {
  return execFileSync("git", ["ls-files", ...patterns], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && !GENERATED.test(file));
}

/** Returns the number of lines of a file. */
export function linesOf(root: string, file: string): number {
  return readFileSync(path.join(root, file), "utf8").split("\n").length - 1;
}

export function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

/** A call of a table (`service/src/db/table.ts`). Its key has no scope of a credential. */
const TABLE_CALL = /\b\w+Rows(By\w+)?\.(find|get|lock|insert|update|remove)\w*\(/;

/**
 * Returns the TypeScript files in a Git work tree that are too long, the folders that contain too many source files, and the
 * routes and jobs that call tables.
 */
export function layoutProblems(root: string): string[] {
  const files = writtenFiles(root, "*.ts", "*.tsx");
  const sources = files.filter((file) => !isTest(file));
  const counts = Map.groupBy(sources, (file) => path.dirname(file));
  return [
    ...files.flatMap((file) => {
      const lines = linesOf(root, file);
      const max = isTest(file) ? TEST_LINES_MAX : SOURCE_LINES_MAX;
      return lines > max ? [`${file}: ${lines} lines, at most ${max}`] : [];
    }),
    ...[...counts].flatMap(([folder, { length }]) =>
      length > SOURCES_IN_FOLDER_MAX ? [`${folder}: ${length} source files, at most ${SOURCES_IN_FOLDER_MAX}`] : [],
    ),
    ...sources
      .filter((file) => /^service\/src\/(http|jobs)\//.test(file))
      .filter((file) => TABLE_CALL.test(readFileSync(path.join(root, file), "utf8")))
      .map((file) => `${file}: calls a table. Routes and jobs call commands and queries of modules.`),
  ];
}
