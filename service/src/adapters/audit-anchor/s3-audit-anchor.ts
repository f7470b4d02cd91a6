import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { parseCheckpoint } from "./anchored-checkpoint.ts";
import { type LockedObject, openLockedBucket } from "./s3-locked-bucket.ts";

/** `latest` skips at most this number of objects that are not checkpoints. It fails if there are more. */
const SKIPPED_MAX = 20;
const SEQUENCE_MAX = 2 ** 31 - 1;
const SEQUENCE_DIGITS = 10;
const DAY_MS = 86_400_000;

export interface S3AuditAnchorOptions {
  readonly bucket: string;
  /** The folder in the bucket, without leading or trailing slashes. Can be empty. */
  readonly prefix: string;
  /** The number of days for which a checkpoint cannot be deleted, even by the bucket's owner. */
  readonly retentionDays: number;
  readonly clock: Clock;
  /** Overrides for settings that the AWS SDK reads from its environment. */
  readonly client?: S3ClientConfig;
}

/**
 * An audit anchor in an S3 bucket with Object Lock in compliance mode: until the retention period ends, a stored
 * version cannot be changed or deleted with any credentials. A delete marker or a newer version can hide the stored
 * version, so this adapter reads the first version of each object.
 *
 * Needs the permissions `s3:ListBucketVersions`, `s3:PutObject`, `s3:PutObjectRetention`, `s3:GetObject`,
 * `s3:GetObjectVersion` and `s3:GetObjectRetention`.
 */
export function createS3AuditAnchor(options: S3AuditAnchorOptions): AuditAnchor {
  const { bucket, prefix, retentionDays, clock, client } = options;
  const store = openLockedBucket(bucket, client);
  const folderOf = (tenantId: TenantId, chain: AuditChain) =>
    `${prefix === "" ? "" : `${prefix}/`}${tenantId}/${chain}/`;
  const referenceOf = ({ key, versionId }: LockedObject) =>
    `s3://${bucket}/${key}?versionId=${encodeURIComponent(versionId)}`;

  return {
    type: "signed_checkpoint",
    publish: async (checkpoint) => {
      const { tenantId, chain } = checkpoint;
      const key = folderOf(tenantId, chain) + nameOf(checkpoint);
      const text = canonicalJson({ ...checkpoint });
      const retainUntil = new Date(clock.now().getTime() + retentionDays * DAY_MS);
      await store.put(key, text, { retainUntil });
      // The object is read back, because `put` does not guarantee its content or its lock. An object with this name may
      // already have existed, and not every S3-compatible store implements Object Lock.
      for await (const stored of store.read(key)) {
        if (stored.text !== text) throw new Error(`${referenceOf(stored)} has different content.`);
        if (!stored.isLocked) throw new Error(`${referenceOf(stored)} is not locked.`);
        return referenceOf(stored);
      }
      throw new Error(`The bucket ${bucket} does not contain the stored checkpoint.`);
    },
    latest: async (tenantId, chain) => {
      const folder = folderOf(tenantId, chain);
      let skipped = 0;
      for await (const stored of store.read(folder)) {
        const checkpoint = parseCheckpoint(stored.text);
        if (checkpoint !== undefined && stored.key === folder + nameOf(checkpoint)) {
          return { checkpoint, reference: referenceOf(stored) };
        }
        // Objects that are not checkpoints are skipped, because an attacker with write access can add such objects in
        // front of the newest checkpoint.
        skipped += 1;
        if (skipped > SKIPPED_MAX) throw new Error(`${folder} contains too many other objects.`);
      }
      return undefined;
    },
  };
}

/** The newest checkpoint's name sorts first. The hash distinguishes checkpoints with the same sequence number. */
function nameOf({ sequence, checkpointHash }: SignedCheckpoint): string {
  const inverted = String(SEQUENCE_MAX - sequence).padStart(SEQUENCE_DIGITS, "0");
  return `${inverted}-${checkpointHash}.json`;
}
