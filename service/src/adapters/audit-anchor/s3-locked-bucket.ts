import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";

/** For a call and its repetitions. */
const CALL_MAX_MS = 5_000;
const ATTEMPTS_MAX = 3;
/** What is looked for is among the first; so an answer is short, and there may be many of them. */
const LISTED_MAX = 50;
const PAGES_MAX = 100;

/** An object as it was first written, whatever was written over it. */
export interface LockedObject {
  readonly key: string;
  readonly versionId: string;
  readonly text: string;
  /** Whether nobody, the bucket's owner neither, can take it away yet. */
  readonly isLocked: boolean;
}

export interface LockedBucket {
  /**
   * Writes an object in compliance mode, which a bucket without Object Lock refuses. Resolves also where something of this
   * name is there already.
   */
  put(key: string, text: string, lock: { readonly retainUntil: Date }): Promise<void>;
  /** Objects below a prefix in the order of their names, each as it was first written, those that were hidden by a deletion too. */
  read(prefix: string): AsyncGenerator<LockedObject, void, void>;
}

/** @param client what the AWS SDK does not find by itself in the environment, the instance or the pod */
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

/** Every version of every object below a prefix: by name, and of one name the newest first. */
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
  throw new Error(`Too many versions are in ${bucket} below ${prefix}.`);
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

/** Taken already, or being taken by another at this moment. */
function isTaken(error: unknown): boolean {
  const metadata: unknown = Reflect.get(Object(error), "$metadata");
  const status: unknown = Reflect.get(Object(metadata), "httpStatusCode");
  return status === 412 || status === 409;
}

function withinBound() {
  return { abortSignal: AbortSignal.timeout(CALL_MAX_MS) };
}
