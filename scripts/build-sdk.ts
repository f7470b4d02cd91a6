import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "tsdown";

/**
 * `npm run build:sdk`: builds the package `@purser/sdk` in `sdk/typescript/dist`: JavaScript, types and the `package.json` that
 * `npm pack ./sdk/typescript/dist` reads. The workspace's own `package.json` exports the sources, so that nothing else in
 * this repository needs a build.
 */
const ROOT = path.join(import.meta.dirname, "..");
const SDK = path.join(ROOT, "sdk/typescript");
const DIST = path.join(SDK, "dist");

await build({
  cwd: SDK,
  config: false,
  entry: "src/index.ts",
  format: "esm",
  platform: "neutral",
  target: "node20.19",
  dts: true,
  fixedExtension: false,
  logLevel: "warn",
});

const { name, version, description, license } = JSON.parse(await readFile(path.join(SDK, "package.json"), "utf8"));
const manifest = {
  name,
  version,
  description,
  license,
  type: "module",
  exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
  sideEffects: false,
  engines: { node: ">=20.19" },
};
await writeFile(path.join(DIST, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
await copyFile(path.join(SDK, "README.md"), path.join(DIST, "README.md"));
await copyFile(path.join(ROOT, "LICENSE"), path.join(DIST, "LICENSE"));
