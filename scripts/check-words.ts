import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { wordProblems } from "./words.ts";

/** Fails on identifiers and phrases that were replaced by plainer ones. `scripts/words.ts` lists them. */
const ROOT = path.join(import.meta.dirname, "..");
const TEXT = /\.(tsx?|cjs|lua|md|json|patch|sh|sql|env\.example)$|^\.ci\/run$/;
/**
 * These files are not checked: dependencies, test vectors, migrations that have already run, and the files that list
 * the words.
 */
const EXCLUDED = /package-lock\.json$|^vectors\/|\/migrations\/|^scripts\/(check-)?words|^docs\/glossary/;

const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => TEXT.test(file) && !EXCLUDED.test(file));
const problems = files.flatMap((file) =>
  wordProblems(readFileSync(path.join(ROOT, file), "utf8")).map(
    ({ line, found, instead }) => `${file}:${line}: "${found}". Write: ${instead}`,
  ),
);

for (const problem of problems) console.error(problem);
console.log(`words: ${files.length} files read, ${problems.length} problems`);
if (problems.length > 0 || files.length === 0) process.exitCode = 1;
