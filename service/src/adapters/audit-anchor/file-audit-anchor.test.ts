import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkpoint } from "../../../test/checkpoint.ts";
import { createFileAuditAnchor } from "./file-audit-anchor.ts";

describe("createFileAuditAnchor", () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-anchor-"));
    path = join(folder, "anchor.jsonl");
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("returns a checkpoint's location in the file, and writes each checkpoint once", async () => {
    const anchor = createFileAuditAnchor({ path });
    await anchor.publish(checkpoint(1));
    const reference = await anchor.publish(checkpoint(2));
    await anchor.publish(checkpoint(2));

    const text = await readFile(path, "utf8");
    const offset = Number(reference.split("#").at(-1));
    expect(JSON.parse(text.slice(offset))).toEqual(checkpoint(2));
    expect(text.split("\n")).toHaveLength(3);
  });

  it("skips an incomplete line left by a crash, and starts a new line after it", async () => {
    await createFileAuditAnchor({ path }).publish(checkpoint(1));
    await appendFile(path, JSON.stringify(checkpoint(2)).slice(0, 40));
    const anchor = createFileAuditAnchor({ path });
    expect(await anchor.latest("dev_one", "tenant")).toMatchObject({ checkpoint: { sequence: 1 } });

    await anchor.publish(checkpoint(3));

    for (const reader of [anchor, createFileAuditAnchor({ path })]) {
      expect(await reader.latest("dev_one", "tenant")).toMatchObject({
        checkpoint: { sequence: 3 },
      });
    }
  });

  it.each(["not JSON", "null", "[]", "{}", '{"tenantId":"dev_one","chain":"tenant","sequence":"9"}'])(
    "skips the line: %s",
    async (line) => {
      await writeFile(path, `${line}\n${JSON.stringify(checkpoint(1))}\n${line}\n`);

      const found = await createFileAuditAnchor({ path }).latest("dev_one", "tenant");

      expect(found).toMatchObject({ checkpoint: { sequence: 1 } });
    },
  );

  it.each([
    ["truncated", () => truncate(path, 10)],
    ["emptied", () => truncate(path, 0)],
    ["deleted", () => rm(path)],
    [
      "replaced by a longer file",
      async () => {
        await rm(path);
        await writeFile(path, Array.from({ length: 9 }, () => JSON.stringify(checkpoint(7, "dev_two"))).join("\n"));
      },
    ],
  ])("rereads the file after it was %s", async (_name, change) => {
    const anchor = createFileAuditAnchor({ path });
    await anchor.publish(checkpoint(1));

    await change();

    expect(await anchor.latest("dev_one", "tenant")).toBeUndefined();
  });

  it("rereads the file after a line was replaced by one of the same length", async () => {
    const anchor = createFileAuditAnchor({ path });
    await anchor.publish(checkpoint(1));
    await anchor.publish(checkpoint(2));

    await writeFile(path, (await readFile(path, "utf8")).replace("head 2", "head 9"));

    expect(await anchor.latest("dev_one", "tenant")).toMatchObject({
      checkpoint: { sequence: 2, headHash: "head 9" },
    });
  });
});
