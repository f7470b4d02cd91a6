import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { parseCheckpoint } from "./anchored-checkpoint.ts";
import { type LockedObject, openLockedBucket } from "./s3-locked-bucket.ts";

/** The number of objects that are not checkpoints after which a search fails. */
const SKIPPED_MAX = 20;
const SEQUENCE_MAX = 2 ** 31 - 1;
const SEQUENCE_DIGITS = 10;
const DAY_MS = 86_400_000;

export interface S3AuditAnchorOptions {
  readonly bucket: string;
  /** Without slashes at its ends. Can be empty. */
  readonly prefix: string;
  /** Time in which nothing can delete a checkpoint, not even the bucket's owner. */
  readonly retentionDays: number;
  readonly clock: Clock;
  /** Settings that the AWS SDK does not find in the environment, the instance or the pod. */
  readonly client?: S3ClientConfig;
}

/**
 * An audit anchor in an S3 bucket with Object Lock in compliance mode: until the retention ends, a stored version
 * cannot be changed or deleted with any credentials. A version can be hidden by a delete marker or by a newer version,
 * so this adapter reads the first version of each name.
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
      // The stored object is read back: another object may already have this name, and not every S3-compatible store
      // implements Object Lock.
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
        // A person with write access can add other objects. They are skipped; the checkpoints remain.
        skipped += 1;
        if (skipped > SKIPPED_MAX) throw new Error(`${folder} contains too many other objects.`);
      }
      return undefined;
    },
  };
}

/** The name sorts the newest checkpoint first. The hash distinguishes two checkpoints of one sequence. */
function nameOf({ sequence, checkpointHash }: SignedCheckpoint): string {
  const inverted = String(SEQUENCE_MAX - sequence).padStart(SEQUENCE_DIGITS, "0");
  return `${inverted}-${checkpointHash}.json`;
}
