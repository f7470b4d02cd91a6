import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const SOURCE_LINES_MAX = 400;
const TEST_LINES_MAX = 800;
const SOURCES_IN_FOLDER_MAX = 25;
const GENERATED = /^(sdk\/typescript\/src\/api-types\.ts$|contracts\/abi\/)/;

/**
 * Returns the TypeScript files in a Git work tree that are too long, and the folders that contain too many source
 * files.
 */
export function layoutProblems(root: string): string[] {
  const files = execFileSync("git", ["ls-files", "*.ts"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && !GENERATED.test(file));
  const sources = files.filter((file) => !isTest(file));
  const counts = Map.groupBy(sources, (file) => path.dirname(file));
  return [
    ...files.flatMap((file) => {
      const lines = readFileSync(path.join(root, file), "utf8").split("\n").length - 1;
      const max = isTest(file) ? TEST_LINES_MAX : SOURCE_LINES_MAX;
      return lines > max ? [`${file}: ${lines} lines, at most ${max}`] : [];
    }),
    ...[...counts].flatMap(([folder, { length }]) =>
      length > SOURCES_IN_FOLDER_MAX ? [`${folder}: ${length} source files, at most ${SOURCES_IN_FOLDER_MAX}`] : [],
    ),
  ];
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}
