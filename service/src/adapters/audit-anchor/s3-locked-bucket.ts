import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";

/** The longest duration of a call, with its retries. */
const CALL_MAX_MS = 5_000;
const ATTEMPTS_MAX = 3;
/** The page size. Small, because the wanted object is among the first and there may be many. */
const LISTED_MAX = 50;
const PAGES_MAX = 100;

/** The first version of an object. */
export interface LockedObject {
  readonly key: string;
  readonly versionId: string;
  readonly text: string;
  /** Whether nothing can delete it yet, not even the bucket's owner. */
  readonly isLocked: boolean;
}

export interface LockedBucket {
  /**
   * Writes an object in compliance mode. Throws if the bucket has no Object Lock. Resolves without writing if the name
   * is taken.
   */
  put(key: string, text: string, lock: { readonly retainUntil: Date }): Promise<void>;
  /** Reads the objects below a prefix, sorted by name: the first version of each, also if a delete marker hides it. */
  read(prefix: string): AsyncGenerator<LockedObject, void, void>;
}

/** @param client settings that the AWS SDK does not find in the environment, the instance or the pod */
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

/** Every version of every object below a prefix, sorted by name, then from new to old. */
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
  throw new Error(`${bucket} has too many versions below ${prefix}.`);
}

async function* firstVersions(
  versions: AsyncIterable<ObjectVersion>,
): AsyncGenerator<ObjectVersion, void, void> {
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

/** Whether the name is taken, or is being written by another call. */
function isTaken(error: unknown): boolean {
  const metadata: unknown = Reflect.get(Object(error), "$metadata");
  const status: unknown = Reflect.get(Object(metadata), "httpStatusCode");
  return status === 412 || status === 409;
}

function withinBound() {
  return { abortSignal: AbortSignal.timeout(CALL_MAX_MS) };
}
