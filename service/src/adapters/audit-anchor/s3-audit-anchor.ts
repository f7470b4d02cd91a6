import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { parseCheckpoint } from "./anchored-checkpoint.ts";
import { type LockedObject, openLockedBucket } from "./s3-locked-bucket.ts";

/** How many objects that are no checkpoints are passed over before a search is given up. */
const PASSED_OVER_MAX = 20;
const SEQUENCE_MAX = 2 ** 31 - 1;
const SEQUENCE_DIGITS = 10;
const DAY_MS = 86_400_000;

export interface S3AuditAnchorOptions {
  readonly bucket: string;
  /** Without slashes at its ends. May be empty. */
  readonly prefix: string;
  /** How long nobody, the bucket's owner neither, can take a checkpoint away. */
  readonly retentionDays: number;
  readonly clock: Clock;
  /** What the AWS SDK does not find by itself in the environment, the instance or the pod. */
  readonly client?: S3ClientConfig;
}

/**
 * Anchors checkpoints as objects of a bucket with Object Lock, in compliance mode: until their retention ends nobody can
 * change or delete one, with whatever credentials. Hidden one can be, and written over; so what is read is the first
 * version that each name ever had, behind every delete marker.
 *
 * The service needs `s3:ListBucketVersions`, `s3:PutObject`, `s3:PutObjectRetention`, `s3:GetObject`,
 * `s3:GetObjectVersion` and `s3:GetObjectRetention` there, and nothing else.
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
      // What stands there is looked at, and not what was sent: somebody may have been there before, and not every store
      // that speaks as S3 does keeps its locks.
      for await (const kept of store.read(key)) {
        if (kept.text !== text) throw new Error(`Something else stands at ${referenceOf(kept)}.`);
        if (!kept.isLocked) throw new Error(`${referenceOf(kept)} is not locked.`);
        return referenceOf(kept);
      }
      throw new Error(`The bucket ${bucket} does not keep what is written to it.`);
    },
    latest: async (tenantId, chain) => {
      const folder = folderOf(tenantId, chain);
      let passedOver = 0;
      for await (const kept of store.read(folder)) {
        const checkpoint = parseCheckpoint(kept.text);
        if (checkpoint !== undefined && kept.key === folder + nameOf(checkpoint)) {
          return { checkpoint, reference: referenceOf(kept) };
        }
        // Whoever may write there can add what is none, and wins nothing by it: the true ones stay.
        passedOver += 1;
        if (passedOver > PASSED_OVER_MAX) throw new Error(`${folder} is full of no checkpoints.`);
      }
      return undefined;
    },
  };
}

/** Sorts the newest first. The hash tells two statements about one place apart. */
function nameOf({ sequence, checkpointHash }: SignedCheckpoint): string {
  const inverted = String(SEQUENCE_MAX - sequence).padStart(SEQUENCE_DIGITS, "0");
  return `${inverted}-${checkpointHash}.json`;
}
