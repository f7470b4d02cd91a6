import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { FLAWS } from "../detection/flaws.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * `npm run detection` runs the tests with the flaws. This file only checks that the patches apply and that the tests
 * exist.
 */
describe("the known flaws of npm run detection", () => {
  it("lists nineteen flaws, each with a patch", async () => {
    const patches = (await readdir(`${ROOT}e2e/detection`)).filter((name) => name.endsWith(".patch"));

    expect([...new Set(FLAWS.map(({ number }) => number))]).toEqual(
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
    expect(FLAWS.map(({ patch }) => patch)).toEqual(patches.sort());
  });

  it.each(FLAWS)("$patch applies to the code", async ({ patch }) => {
    const check = ["apply", "--check", "--unidiff-zero", `e2e/detection/${patch}`];

    await expect(promisify(execFile)("git", check, { cwd: ROOT })).resolves.toBeDefined();
  });

  it.each(FLAWS)("the test that must detect $patch exists", async ({ testFile, group, test }) => {
    const source = await readFile(`${ROOT}${testFile}`, "utf8");

    expect(source).toContain(`describe("${group}"`);
    // The title in the source can contain `test.each` placeholders.
    expect(containsTest(source, test)).toBe(true);
  });
});

function containsTest(source: string, test: string): boolean {
  if (source.includes(`"${test}"`)) return true;
  const templates = [...source.matchAll(/"([^"\n]*%s[^"\n]*)"/g)].map(([, text = ""]) => text);
  return templates.some((template) => {
    const parts = template.split("%s").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`).test(test);
  });
}
