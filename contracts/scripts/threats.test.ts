import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CONTRACTS_FOLDER } from "./forge.ts";

test("each test that the tables of threats and of known limits name exists", async () => {
  const readme = await readFile(path.join(CONTRACTS_FOLDER, "README.md"), "utf8");
  const named = [...readme.matchAll(/(?:`([\w/-]+\.t\.sol)` )?`(test\w+)`/g)];
  expect(named.length).toBeGreaterThan(50);
  for (const [, file = "attacks/KnownLimits.t.sol", name = ""] of named) {
    const source = await readFile(path.join(CONTRACTS_FOLDER, "test", file), "utf8");
    expect(source, `${file}: ${name}`).toContain(`function ${name}(`);
  }
});
