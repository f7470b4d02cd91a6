import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CONTRACTS_FOLDER } from "./forge.ts";

test("each test that the table of threats names exists", async () => {
  const readme = await readFile(path.join(CONTRACTS_FOLDER, "README.md"), "utf8");
  const named = [...readme.matchAll(/`([\w/-]+\.t\.sol)` `(\w+)`/g)];
  expect(named.length).toBeGreaterThan(20);
  for (const [, file = "", name = ""] of named) {
    const source = await readFile(path.join(CONTRACTS_FOLDER, "test", file), "utf8");
    expect(source, `${file}: ${name}`).toContain(`function ${name}(`);
  }
});
