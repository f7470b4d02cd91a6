import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";

/** Timeout for one call, including its retries. */
const CALL_MAX_MS = 5_000;
const ATTEMPTS_MAX = 3;
/** The page size. It is small because callers usually need only the first object. */
const LISTED_MAX = 50;
const PAGES_MAX = 100;

/** The first version of an object. */
export interface LockedObject {
  readonly key: string;
  readonly versionId: string;
  readonly text: string;
  /** Whether the version has a compliance-mode lock, which prevents even the bucket's owner from deleting it. */
  readonly isLocked: boolean;
}

export interface LockedBucket {
  /**
   * Writes an object with a compliance-mode lock. Throws if the bucket has no Object Lock. Resolves without writing if
   * an object with this key already exists.
   */
  put(key: string, text: string, lock: { readonly retainUntil: Date }): Promise<void>;
  /** Reads the first version of each object under a prefix, sorted by key, even if a delete marker hides the object. */
  read(prefix: string): AsyncGenerator<LockedObject, void, void>;
}

/** @param client overrides for settings that the AWS SDK reads from its environment */
export function openLockedBucket(bucket: string, client: S3ClientConfig = {}): LockedBucket {
  const s3 = new S3Client({ maxAttempts: ATTEMPTS_MAX, ...client });
  return {
    put: async (key, text, { retainUntil }) => {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: text,
        ContentType: "application/json",
        IfNoneMatch: "*",
        ObjectLockMode: "COMPLIANCE",
        ObjectLockRetainUntilDate: retainUntil,
      });
      await s3.send(command, withinBound()).catch((error: unknown) => {
        if (!isTaken(error)) throw error;
      });
    },
    read: async function* (prefix) {
      for await (const version of firstVersions(listVersions(s3, bucket, prefix))) {
        yield await readVersion(s3, bucket, version);
      }
    },
  };
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

async function* firstVersions(versions: AsyncIterable<ObjectVersion>): AsyncGenerator<ObjectVersion, void, void> {
  let oldest: ObjectVersion | undefined;
  for await (const version of versions) {
    if (oldest !== undefined && oldest.Key !== version.Key) yield oldest;
    oldest = version;
  }
  if (oldest !== undefined) yield oldest;
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
