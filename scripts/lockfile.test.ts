import { readFileSync } from "node:fs";
import path from "node:path";
import { subset } from "semver";
import { expect, test } from "vitest";

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly engines?: { readonly node?: string };
  readonly dev?: boolean;
  readonly link?: boolean;
}

const lockfile = JSON.parse(readFileSync(path.join(import.meta.dirname, "../package-lock.json"), "utf8"));
const packages: Readonly<Record<string, Package>> = lockfile.packages;
const supported = packages[""]?.engines?.node ?? "";
const installed = Object.entries(packages).filter(([folder, { link }]) => folder.includes("node_modules/") && !link);
const withoutDev = installed.filter(([, { dev }]) => !dev);

/** Agent frameworks, which only the tests of the recipes use, on Node 24. */
const FOR_RECIPES = /^node_modules\/(@ai-sdk\/|(ai|openai)$)/;

test("npm ci warns on no supported Node: every package runs on the versions that package.json names", () => {
  const others = installed.filter(([folder]) => !FOR_RECIPES.test(folder));
  const unsupported = others.filter(([, { engines }]) => engines?.node && !subset(supported, engines.node));

  expect(supported).not.toBe("");
  expect(unsupported.map(([folder, { version, engines }]) => `${folder} ${version}: ${engines?.node}`)).toEqual([]);
});

test("npm ci --omit=dev installs at most 620 packages", () => {
  // The lockfile lists the packages of every platform.
  expect(withoutDev.length).toBeGreaterThan(100);
  expect(withoutDev.length).toBeLessThanOrEqual(620);
});

test("npm ci --omit=dev installs no package with a copyleft license, but for a tool of the build", () => {
  const permissive =
    /^\(?(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|CC0-1\.0|OFL-1\.1|Unlicense| OR | AND )+\)?$/;
  const others = withoutDev.filter(([, { license }]) => !permissive.test(license ?? ""));

  // Vite compresses style sheets with it. The dashboard that it builds does not contain it.
  expect(others.filter(([folder]) => !/^node_modules\/lightningcss/.test(folder))).toEqual([]);
  expect(others.every(([, { license }]) => license === "MPL-2.0")).toBe(true);
});
