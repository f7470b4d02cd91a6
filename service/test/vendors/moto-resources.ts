import { randomUUID } from "node:crypto";
import { CreateKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { TestMoto } from "./moto.ts";

/** Returns the options for an AWS client that calls moto, which simulates AWS. */
export function motoClient({ url, region, credentials }: TestMoto) {
  return { endpoint: url, region, credentials };
}

/** Creates a KMS key. Returns its ARN. */
export async function createMotoKey(moto: TestMoto): Promise<string> {
  const { KeyMetadata } = await new KMSClient(motoClient(moto)).send(new CreateKeyCommand({}));
  return KeyMetadata?.Arn ?? "";
}

/** Creates a bucket with Object Lock. Returns its name. */
export async function createMotoBucket(moto: TestMoto): Promise<string> {
  const Bucket = `purser-${randomUUID()}`;
  const s3 = new S3Client({ ...motoClient(moto), forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
  return Bucket;
}
