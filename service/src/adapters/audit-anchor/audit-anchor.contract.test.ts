import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { checkpoint } from "../../../test/checkpoint.ts";
import { TestClock } from "../../../test/clock.ts";
import { useEvmAnchor } from "../../../test/networks/evm-anchor.ts";
import { startMoto } from "../../../test/vendors/moto.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { createEvmAuditAnchor } from "./evm-audit-anchor.ts";
import { createFileAuditAnchor } from "./file-audit-anchor.ts";
import { createS3AuditAnchor } from "./s3-audit-anchor.ts";

const evm = useEvmAnchor();
const moto = await startMoto();
afterAll(async () => {
  if ("stop" in moto) await moto.stop();
});

/**
 * All `AuditAnchor` adapters. `start` creates an empty anchor. Each call to the anchor's `open` simulates a new
 * process.
 */
const ADAPTERS: readonly {
  readonly name: string;
  readonly isSkipped?: boolean;
  readonly start: () => Promise<EmptyAnchor>;
}[] = [
  { name: "a file", start: startFile },
  { name: "a bucket with Object Lock", start: startBucket, isSkipped: "skipped" in moto },
  { name: "a contract", start: startContract },
];

interface EmptyAnchor {
  readonly open: () => AuditAnchor;
  /** Opens an anchor that does not respond. */
  readonly openUnreachable: () => AuditAnchor;
}

async function startFile(): Promise<EmptyAnchor> {
  const folder = await mkdtemp(join(tmpdir(), "purser-anchor-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return {
    open: () => createFileAuditAnchor({ path: join(folder, "anchor.jsonl") }),
    openUnreachable: () => createFileAuditAnchor({ path: folder }),
  };
}

async function startBucket(): Promise<EmptyAnchor> {
  if ("skipped" in moto) throw new Error(moto.skipped);
  const { url: endpoint, region, credentials } = moto;
  const client = { endpoint, region, credentials, forcePathStyle: true };
  const bucket = `purser-${randomUUID()}`;
  const s3 = new S3Client(client);
  await s3.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }));
  s3.destroy();
  const options = { bucket, prefix: "anchor", retentionDays: 30, clock: new TestClock(), client };
  return {
    open: () => createS3AuditAnchor(options),
    openUnreachable: () => createS3AuditAnchor({ ...options, client: { ...client, endpoint: "http://127.0.0.1:9" } }),
  };
}

async function startContract(): Promise<EmptyAnchor> {
  const key = await evm.newPublisher();
  return {
    open: () => createEvmAuditAnchor(evm.optionsOf({ key, confirmations: 1 })),
    openUnreachable: () => createEvmAuditAnchor(evm.optionsOf({ key, urls: ["http://127.0.0.1:9"] })),
  };
}

describe.each(ADAPTERS)("audit anchor in $name", ({ start, isSkipped = false }) => {
  describe.skipIf(isSkipped)("available anchor", () => {
    let open: () => AuditAnchor;
    let openUnreachable: () => AuditAnchor;
    beforeEach(async () => {
      ({ open, openUnreachable } = await start());
    });

    it("latest: returns undefined before the first checkpoint", async () => {
      expect(await open().latest("dev_one", "tenant")).toBeUndefined();
    });

    it("latest: returns each chain's newest checkpoint and its location, even after a restart", async () => {
      const anchor = open();
      await anchor.publish(checkpoint(1));
      const other = await anchor.publish(checkpoint(9, "dev_two"));
      const reference = await anchor.publish(checkpoint(2));

      for (const reader of [anchor, open()]) {
        expect(await reader.latest("dev_one", "tenant")).toEqual({
          checkpoint: checkpoint(2),
          reference,
        });
        expect(await reader.latest("dev_two", "tenant")).toMatchObject({ reference: other });
        expect(await reader.latest("dev_one", "provider_keys")).toBeUndefined();
      }
    });

    it("publish: stores a checkpoint once, even if another process publishes it with its fields reordered", async () => {
      const anchor = open();
      const reversed = Object.fromEntries(Object.entries(checkpoint(1)).reverse());

      const references = [
        await anchor.publish(checkpoint(1)),
        await anchor.publish(checkpoint(1)),
        await open().publish(reversed as object as SignedCheckpoint),
      ];

      expect(new Set(references).size).toBe(1);
    });

    it("publish: an older checkpoint that is published later does not become the newest", async () => {
      const anchor = open();
      const newest = await anchor.publish(checkpoint(100));

      const late = await anchor.publish(checkpoint(99)).catch(() => undefined);

      expect(late).not.toBe(newest);
      expect(await anchor.latest("dev_one", "tenant")).toMatchObject({ reference: newest });
    });

    it("latest: includes checkpoints that other processes publish at the same time", async () => {
      const anchors = Array.from({ length: 4 }, open);

      // Some are older than the newest when they arrive.
      await Promise.allSettled(
        anchors.flatMap((anchor, index) =>
          Array.from({ length: 10 }, (_, round) => anchor.publish(checkpoint(10 * round + index))),
        ),
      );

      for (const anchor of anchors) {
        expect(await anchor.latest("dev_one", "tenant")).toMatchObject({
          checkpoint: { sequence: 93 },
        });
      }
    });

    it("rejects if the anchor does not respond", async () => {
      const unreachable = openUnreachable();

      await expect(unreachable.publish(checkpoint(1))).rejects.toThrow();
      await expect(unreachable.latest("dev_one", "tenant")).rejects.toThrow();
    });
  });
});
