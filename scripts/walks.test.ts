import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const FILES_MAX = 28;

/** The walks of ARCHITECTURE.md: each is a numbered list of files. */
const walks = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8")
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf("\n")),
    files: [...section.matchAll(/^\d+\. `(service\/src\/[^`]+)`:/gm)].map(([, file = ""]) => file),
  }))
  .filter(({ files }) => files.length > 0);

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) => relative(ROOT, join(ROOT, file, "..", path)));
}

describe("the walks of ARCHITECTURE.md", () => {
  it("are about a payment and a service", () => {
    expect(walks.map(({ title }) => title)).toEqual([
      "A payment: `POST /payments/send`",
      "An added service: `POST /projects/{project_id}/services`",
    ]);
  });

  it.each(walks)("$title: each file is imported by one before it, and there are at most 28", ({ files }) => {
    const notImported = files.filter((file, place) => {
      const before = files.slice(0, place).flatMap(importsOf);
      return place > 0 && !before.includes(file);
    });

    expect(notImported).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(FILES_MAX);
  });
});
