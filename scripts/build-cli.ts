import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "tsdown";

/**
 * `npm run build:cli`: builds the package `@purser/cli` in `cli/dist`, which `npm pack ./cli/dist` reads: the program in one
 * file with everything that it imports, and the table of the API's operations beside it. The argument is another folder.
 */
const ROOT = path.join(import.meta.dirname, "..");
const CLI = path.join(ROOT, "cli");
const DIST = process.argv[2] ?? path.join(CLI, "dist");

const { name, version, description, license, optionalDependencies } = JSON.parse(
  await readFile(path.join(CLI, "package.json"), "utf8"),
);

await build({
  cwd: CLI,
  config: false,
  entry: "src/purser.ts",
  outDir: DIST,
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: false,
  minify: true,
  deps: { alwaysBundle: /^(?!node:)/, neverBundle: Object.keys(optionalDependencies) },
  outputOptions: { codeSplitting: false },
  fixedExtension: false,
  logLevel: "warn",
});

const manifest = {
  name,
  version,
  description,
  license,
  type: "module",
  bin: { purser: "./purser.js" },
  engines: { node: ">=20.19" },
  optionalDependencies,
};
await writeFile(path.join(DIST, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
// Without white space, because the program reads it at each start.
const table = JSON.parse(await readFile(path.join(ROOT, "openapi/operations.json"), "utf8"));
await writeFile(path.join(DIST, "operations.json"), JSON.stringify(table));
await copyFile(path.join(CLI, "README.md"), path.join(DIST, "README.md"));
await copyFile(path.join(CLI, "skill/SKILL.md"), path.join(DIST, "SKILL.md"));
await copyFile(path.join(ROOT, "LICENSE"), path.join(DIST, "LICENSE"));
