import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { applyFault } from "./fault.ts";
import { FAULTS } from "./faults.ts";

const SOURCES = path.join(import.meta.dirname, "..", "src");

test("each fault applies to its source exactly once and changes it", () => {
  for (const { source, faults } of FAULTS) {
    const text = readFileSync(path.join(SOURCES, source), "utf8");
    for (const fault of faults) expect(applyFault(text, fault), fault.id).not.toBe(text);
  }
});

test("each fault has its own id", () => {
  const ids = FAULTS.flatMap(({ faults }) => faults.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
