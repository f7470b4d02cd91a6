import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TenantId } from "../foundation/ids.ts";
import type { SignedCheckpoint } from "../ports/audit-anchor.ts";
import { createFileAuditAnchor } from "./file-audit-anchor.ts";

function checkpoint(sequence: number, tenantId: TenantId = "dev_one"): SignedCheckpoint {
  return {
    tenantId,
    chain: "tenant",
    sequence,
    headHash: `head ${sequence}`,
    time: "2026-11-21T10:00:00.000Z",
    prevCheckpointHash: "0".repeat(64),
    checkpointHash: `hash of ${tenantId} ${sequence}`,
    keyId: "key",
    signature: "signature",
  };
}

describe("the anchor in a file", () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-anchor-"));
    path = join(folder, "anchor.jsonl");
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const lines = async () => (await readFile(path, "utf8")).split("\n").slice(0, -1);

  it("knows nothing before anything was published", async () => {
    expect(await createFileAuditAnchor({ path }).latest("dev_one", "tenant")).toBeUndefined();
  });

  it("remembers the newest of each chain, where it stands in the file, and through a restart", async () => {
    const anchor = createFileAuditAnchor({ path });
    await anchor.publish(checkpoint(1));
    const other = await anchor.publish(checkpoint(9, "dev_two"));
    const reference = await anchor.publish(checkpoint(2));

    for (const reader of [anchor, createFileAuditAnchor({ path })]) {
      expect(await reader.latest("dev_one", "tenant")).toEqual({
        checkpoint: checkpoint(2),
        reference,
      });
      expect(await reader.latest("dev_two", "tenant")).toMatchObject({ reference: other });
      expect(await reader.latest("dev_one", "provider_keys")).toBeUndefined();
    }
    const offset = Number(reference.split("#").at(-1));
    const text = await readFile(path, "utf8");
    expect(JSON.parse(text.slice(offset))).toEqual(checkpoint(2));
  });

  it("writes the same checkpoint once", async () => {
    const anchor = createFileAuditAnchor({ path });

    const references = [await anchor.publish(checkpoint(1)), await anchor.publish(checkpoint(1))];

    expect(new Set(references).size).toBe(1);
    expect(await lines()).toHaveLength(1);
  });

  it("keeps an older checkpoint that comes late, without taking it for the newest", async () => {
    const anchor = createFileAuditAnchor({ path });
    const newest = await anchor.publish(checkpoint(5));

    const late = await anchor.publish(checkpoint(4));

    expect(late).not.toBe(newest);
    expect(await lines()).toHaveLength(2);
    expect(await anchor.latest("dev_one", "tenant")).toMatchObject({ reference: newest });
  });

  it("sees what other processes append, all of them at once", async () => {
    const anchors = Array.from({ length: 4 }, () => createFileAuditAnchor({ path }));

    await Promise.all(
      anchors.flatMap((anchor, index) =>
        Array.from({ length: 10 }, (_, round) => anchor.publish(checkpoint(10 * round + index))),
      ),
    );

    expect(await lines()).toHaveLength(40);
    for (const anchor of anchors) {
      expect(await anchor.latest("dev_one", "tenant")).toMatchObject({
        checkpoint: { sequence: 93 },
      });
    }
  });

  it("passes over a line that a crash cut off, and begins a new one after it", async () => {
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

  it.each([
    "no JSON",
    "null",
    "[]",
    "{}",
    '{"tenantId":"dev_one","chain":"tenant","sequence":"9"}',
  ])("passes over the line %s", async (line) => {
    await writeFile(path, `${line}\n${JSON.stringify(checkpoint(1))}\n${line}\n`);

    const found = await createFileAuditAnchor({ path }).latest("dev_one", "tenant");

    expect(found).toMatchObject({ checkpoint: { sequence: 1 } });
  });

  it.each([
    ["cut", () => truncate(path, 10)],
    ["emptied", () => truncate(path, 0)],
    ["deleted", () => rm(path)],
    [
      "replaced by a longer one",
      async () => {
        await rm(path);
        await writeFile(
          path,
          Array.from({ length: 9 }, () => JSON.stringify(checkpoint(7, "dev_two"))).join("\n"),
        );
      },
    ],
  ])("says what the file says now, after it was %s", async (_name, change) => {
    const anchor = createFileAuditAnchor({ path });
    await anchor.publish(checkpoint(1));

    await change();

    expect(await anchor.latest("dev_one", "tenant")).toBeUndefined();
  });

  it("says what the file says now, after a line of the same length was put in the place of another", async () => {
    const anchor = createFileAuditAnchor({ path });
    await anchor.publish(checkpoint(1));
    await anchor.publish(checkpoint(2));

    await writeFile(path, (await readFile(path, "utf8")).replace("head 2", "head 9"));

    expect(await anchor.latest("dev_one", "tenant")).toMatchObject({
      checkpoint: { sequence: 2, headHash: "head 9" },
    });
  });

  it("rejects where there is no file to be had", async () => {
    const anchor = createFileAuditAnchor({ path: folder });

    await expect(anchor.latest("dev_one", "tenant")).rejects.toThrow();
    await expect(anchor.publish(checkpoint(1))).rejects.toThrow();
  });
});
