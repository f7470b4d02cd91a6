import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { parseCheckpoint } from "./anchored-checkpoint.ts";

/** `latest` skips at most this number of objects that are not checkpoints. It fails if there are more. */
const SKIPPED_MAX = 20;
const SEQUENCE_MAX = 2 ** 31 - 1;
const SEQUENCE_DIGITS = 10;
const DAY_MS = 86_400_000;

/** Timeout for one call, including its retries. */
const CALL_MAX_MS = 5_000;
const ATTEMPTS_MAX = 3;
/** The page size. It is small because callers usually need only the first object. */
const LISTED_MAX = 50;
const PAGES_MAX = 100;

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
  const s3 = new S3Client({ maxAttempts: ATTEMPTS_MAX, ...client });
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
      await putLocked(s3, { bucket, key, text, retainUntil });
      // The object is read back, because `put` does not guarantee its content or its lock. An object with this name may
      // already have existed, and not every S3-compatible store implements Object Lock.
      for await (const stored of readFirstVersions(s3, bucket, key)) {
        if (stored.text !== text) throw new Error(`${referenceOf(stored)} has different content.`);
        if (!stored.isLocked) throw new Error(`${referenceOf(stored)} is not locked.`);
        return referenceOf(stored);
      }
      throw new Error(`The bucket ${bucket} does not contain the stored checkpoint.`);
    },
    latest: async (tenantId, chain) => {
      const folder = folderOf(tenantId, chain);
      let skipped = 0;
      for await (const stored of readFirstVersions(s3, bucket, folder)) {
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

/** The first version of an object. */
interface LockedObject {
  readonly key: string;
  readonly versionId: string;
  readonly text: string;
  /** Whether the version has a compliance-mode lock, which prevents even the bucket's owner from deleting it. */
  readonly isLocked: boolean;
}

/**
 * Writes an object with a compliance-mode lock. Throws if the bucket has no Object Lock. Resolves without writing if an
 * object with this key already exists.
 */
async function putLocked(
  s3: S3Client,
  object: { readonly bucket: string; readonly key: string; readonly text: string; readonly retainUntil: Date },
): Promise<void> {
  const command = new PutObjectCommand({
    Bucket: object.bucket,
    Key: object.key,
    Body: object.text,
    ContentType: "application/json",
    IfNoneMatch: "*",
    ObjectLockMode: "COMPLIANCE",
    ObjectLockRetainUntilDate: object.retainUntil,
  });
  await s3.send(command, withinBound()).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
  });
}

/** Reads the first version of each object under a prefix, sorted by key, even if a delete marker hides the object. */
async function* readFirstVersions(s3: S3Client, bucket: string, prefix: string) {
  let first: ObjectVersion | undefined;
  for await (const version of listVersions(s3, bucket, prefix)) {
    if (first !== undefined && first.Key !== version.Key) yield await readVersion(s3, bucket, first);
    first = version;
  }
  if (first !== undefined) yield await readVersion(s3, bucket, first);
}

/** Lists all versions of all objects under a prefix, sorted by key, with the newest version of each key first. */
async function* listVersions(s3: S3Client, bucket: string, prefix: string) {
  let after: { readonly KeyMarker?: string; readonly VersionIdMarker?: string } = {};
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const place = { Bucket: bucket, Prefix: prefix, MaxKeys: LISTED_MAX, ...after };
    const listed = await s3.send(new ListObjectVersionsCommand(place), withinBound());
    yield* listed.Versions ?? [];
    if (listed.IsTruncated !== true) return;
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = listed;
    after = { ...(KeyMarker && { KeyMarker }), ...(VersionIdMarker && { VersionIdMarker }) };
  }
  throw new Error(`${bucket} has too many versions under ${prefix}.`);
}

async function readVersion(
  s3: S3Client,
  bucket: string,
  { Key: key = "", VersionId: versionId = "" }: ObjectVersion,
): Promise<LockedObject> {
  const command = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId });
  const { Body, ObjectLockMode } = await s3.send(command, withinBound());
  const text = (await Body?.transformToString()) ?? "";
  return { key, versionId, text, isLocked: ObjectLockMode === "COMPLIANCE" };
}

/** Returns true if the error means that the object already exists, or that another call is writing it. */
function isTaken(error: unknown): boolean {
  const metadata: unknown = Reflect.get(Object(error), "$metadata");
  const status: unknown = Reflect.get(Object(metadata), "httpStatusCode");
  return status === 412 || status === 409;
}

function withinBound() {
  return { abortSignal: AbortSignal.timeout(CALL_MAX_MS) };
}
