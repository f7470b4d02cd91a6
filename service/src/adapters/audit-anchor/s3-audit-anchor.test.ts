import { randomUUID } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { checkpoint } from "../../../test/checkpoint.ts";
import { TestClock } from "../../../test/clock.ts";
import { startMoto } from "../../../test/vendors/moto.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import { createS3AuditAnchor } from "./s3-audit-anchor.ts";

const moto = await startMoto();
const withoutMoto = "skipped" in moto;
afterAll(async () => {
  if (!withoutMoto) await moto.stop();
});

describe.skipIf(withoutMoto)("createS3AuditAnchor", () => {
  const clock = new TestClock();
  const client = withoutMoto
    ? {}
    : {
        endpoint: moto.url,
        region: moto.region,
        credentials: moto.credentials,
        forcePathStyle: true,
      };
  const s3 = new S3Client(client);
  let bucket: string;

  const open = (change: Partial<Parameters<typeof createS3AuditAnchor>[0]> = {}) =>
    createS3AuditAnchor({ bucket, prefix: "anchor", retentionDays: 30, clock, client, ...change });

  async function createBucket(isLocked: boolean): Promise<string> {
    const name = `purser-${randomUUID()}`;
    await s3.send(new CreateBucketCommand({ Bucket: name, ObjectLockEnabledForBucket: isLocked }));
    return name;
  }

  beforeEach(async () => {
    bucket = await createBucket(true);
  });

  const locate = (reference: string) => {
    const { hostname, pathname, searchParams } = new URL(reference);
    const VersionId = searchParams.get("versionId") ?? "";
    return { Bucket: hostname, Key: pathname.slice(1), VersionId };
  };

  async function versions() {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket }));
    return { objects: Versions, markers: DeleteMarkers };
  }

  it("locks each checkpoint for the retention period, so that it cannot be deleted", async () => {
    const version = locate(await open().publish(checkpoint(1)));

    expect(await s3.send(new HeadObjectCommand(version))).toMatchObject({
      ObjectLockMode: "COMPLIANCE",
      ObjectLockRetainUntilDate: new Date(clock.now().getTime() + 30 * 86_400_000),
    });
    await expect(s3.send(new DeleteObjectCommand(version))).rejects.toThrow();
    const bypassing = { ...version, BypassGovernanceRetention: true };
    await expect(s3.send(new DeleteObjectCommand(bypassing))).rejects.toThrow();
  });

  it.each([
    ["anchor", /^anchor\/dev_one\/tenant\/2147483645-hash-of-dev_one-2\.json$/],
    ["", /^dev_one\/tenant\/2147483645-hash-of-dev_one-2\.json$/],
  ])("writes one object for each checkpoint, under the prefix %j", async (prefix, key) => {
    const anchor = open({ prefix });
    await anchor.publish(checkpoint(2));
    await anchor.publish(checkpoint(2));

    const { objects } = await versions();

    expect(objects.map(({ Key }) => Key)).toEqual([expect.stringMatching(key)]);
    expect(await anchor.latest("dev_one", "tenant")).toMatchObject({
      checkpoint: checkpoint(2),
    });
  });

  it("does not confuse tenants when one tenant id is a prefix of the other", async () => {
    await open().publish(checkpoint(7, "dev_one1"));

    expect(await open().latest("dev_one", "tenant")).toBeUndefined();
  });

  it("latest: ignores any number of delete markers", async () => {
    const reference = await open().publish(checkpoint(5));
    await open().publish(checkpoint(4));
    const { Bucket, Key } = locate(reference);
    for (let time = 0; time < 60; time += 1) {
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    }
    expect((await versions()).markers).toHaveLength(60);

    expect(await open().latest("dev_one", "tenant")).toEqual({
      checkpoint: checkpoint(5),
      reference,
    });
  });

  it("latest: returns the first version of an object that was overwritten", async () => {
    const reference = await open().publish(checkpoint(5));
    const { Bucket, Key } = locate(reference);
    for (const Body of ["{}", JSON.stringify({ ...checkpoint(5), headHash: "forged" })]) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    }

    expect(await open().latest("dev_one", "tenant")).toEqual({
      checkpoint: checkpoint(5),
      reference,
    });
    expect(await open().publish(checkpoint(5))).toBe(reference);
  });

  it("latest: skips objects that are not checkpoints, and checkpoints with the wrong name", async () => {
    const reference = await open().publish(checkpoint(5));
    const others = {
      "0000000001-none.json": "not JSON",
      "0000000002-none.json": JSON.stringify({ ...checkpoint(6), sequence: "6" }),
      "0000000003-moved.json": JSON.stringify(checkpoint(4)),
      "0000000004-foreign.json": JSON.stringify(checkpoint(9, "dev_two")),
    };
    for (const [name, Body] of Object.entries(others)) {
      const Key = `anchor/dev_one/tenant/${name}`;
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
    }

    expect(await open().latest("dev_one", "tenant")).toMatchObject({ reference });
  });

  it("latest: rejects if the folder contains too many other objects", async () => {
    await open().publish(checkpoint(5));
    for (let number = 10; number < 31; number += 1) {
      const Key = `anchor/dev_one/tenant/00000000${number}-none.json`;
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "none" }));
    }

    await expect(open().latest("dev_one", "tenant")).rejects.toThrow("too many other objects");
  });

  it.each([
    ["other content", "{}", "has different content"],
    ["the same content without a lock", canonicalJson({ ...checkpoint(5) }), "is not locked"],
  ])("publish: rejects if the existing object has %s", async (_name, Body, message) => {
    const Key = "anchor/dev_one/tenant/2147483642-hash-of-dev_one-5.json";
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));

    await expect(open().publish(checkpoint(5))).rejects.toThrow(message);
  });

  it("publish: rejects if the bucket has no Object Lock or does not exist", async () => {
    bucket = await createBucket(false);
    await expect(open().publish(checkpoint(1))).rejects.toThrow(/object ?lock/i);
    expect((await versions()).objects).toEqual([]);

    bucket = "purser-nowhere";
    await expect(open().publish(checkpoint(1))).rejects.toThrow();
    await expect(open().latest("dev_one", "tenant")).rejects.toThrow();
  });
});
