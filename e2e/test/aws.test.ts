import { randomBytes } from "node:crypto";
import { createAwsKmsKeyEncryptionKey } from "@purser/service/adapters/key-encryption-key/aws-kms-key-encryption-key.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSeedApp, type SeedApp, seedDeveloper, seedKeyPair } from "../../service/test/seeds.ts";
import { startMoto, type TestMoto } from "../../service/test/vendors/moto.ts";
import { createMotoBucket, createMotoKey, motoClient } from "../../service/test/vendors/moto-resources.ts";
import type { Environment, ServerProcess } from "../src/server-process.ts";
import type { ApiResponse } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { createClient, query, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const ME = "/developers/me";
const VERIFY = "/audit/verify";
/** This limit is high, because test machines can be busy. An idle machine needs less than five seconds. */
const ANCHORED_MAX_MS = 60_000;
const TEST_MAX_MS = 120_000;

const redis = await useRedis();
const started = await startMoto();
const moto: TestMoto | undefined = "skipped" in started ? undefined : started;
afterAll(() => moto?.stop());

const isSkipped = redis.missing || moto === undefined;

describe.skipIf(isSkipped)("a process with its keys in AWS KMS and its anchor in S3", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  let aws: Environment;
  let bucket: string;
  let seeds: SeedApp;
  let server: ServerProcess;

  beforeAll(async () => {
    if (moto === undefined) return;
    const keyArn = await createMotoKey(moto);
    bucket = await createMotoBucket(moto);
    aws = {
      PURSER_KEY_ENCRYPTION_KEY: `aws-kms:${keyArn}`,
      PURSER_AUDIT_ANCHOR_S3: `s3://${bucket}/production`,
      PURSER_AUDIT_ANCHOR_RETENTION_DAYS: "1",
      ...awsEnvironment(moto),
    };
    seeds = {
      ...openSeedApp({
        databaseUrl: database.serviceUrl,
        keyEncryptionKey: randomBytes(32).toString("base64"),
      }),
      keyEncryptionKey: createAwsKmsKeyEncryptionKey({ keyArn, client: motoClient(moto) }),
    };
    server = await deployment.start(aws);
  }, TEST_MAX_MS);
  afterAll(() => seeds?.db.destroy());

  async function seedClient(at: ServerProcess) {
    const tenantId = await seedDeveloper(seeds);
    const pair = await seedKeyPair(seeds, tenantId);
    return { tenantId, pair, client: createClient(at, pair) };
  }

  it(
    "stores data keys encrypted by the KMS key, and decrypts them after a restart",
    async () => {
      const { tenantId, pair, client } = await seedClient(server);
      expect((await client.get(ME)).status).toBe(200);

      const [dataKey] = await query<{ id: string }>(
        database.superuserUrl,
        "select key_encryption_key_id as id from tenant_data_keys where tenant_id = $1",
        [tenantId],
      );
      expect(dataKey?.id).toBe(aws["PURSER_KEY_ENCRYPTION_KEY"]);

      const restarted = await deployment.start(aws);
      expect((await createClient(restarted, pair).get(ME)).status).toBe(200);
      await restarted.stop();
    },
    TEST_MAX_MS,
  );

  it(
    "anchors the audit trail in the bucket, and verification confirms that it matches",
    async () => {
      const { tenantId, client } = await seedClient(server);
      await client.post("/projects", { name: "Anchored" });

      const { value } = await until(
        "the chain is anchored",
        async () => anchoredIn(await client.get(VERIFY)),
        ANCHORED_MAX_MS,
      );

      expect(value).toMatchObject({ valid: true, anchor: { status: "matched" } });
      const prefix = `s3://${bucket}/production/${tenantId}/tenant/`;
      expect(value.anchor.reference).toMatch(new RegExp(`^${prefix}\\d{10}-[0-9a-f]{64}\\.json\\?versionId=.+$`));
    },
    TEST_MAX_MS,
  );

  it(
    "while AWS is unavailable: cached keys work, other keys get 503, and verification returns no verdict",
    async () => {
      const cached = await seedClient(server);
      const uncached = await seedClient(server);
      await cached.client.post("/projects", { name: "Anchored" });
      await until("the chain is anchored", async () => anchoredIn(await cached.client.get(VERIFY)), ANCHORED_MAX_MS);
      // On a busy machine, the key's cache entry may have expired in the meantime. This request caches the key again.
      expect((await cached.client.get(ME)).status).toBe(200);

      await moto?.stop();

      expect((await cached.client.get(ME)).status).toBe(200);
      const refused = await createClient(server, uncached.pair, { retriesMax: 0 }).get(ME);
      expect(refused).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      const verified = await cached.client.get(VERIFY);
      expect(verified).toMatchObject({
        status: 200,
        body: { valid: null, anchor: { status: "unavailable" } },
      });
    },
    TEST_MAX_MS,
  );
});

/** Environment variables for the AWS SDK. */
function awsEnvironment({ url, region, credentials }: TestMoto): Environment {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: "true",
  };
}

interface Verified {
  readonly valid: boolean | null;
  readonly anchor: { readonly status: string; readonly reference: string | null };
}

function anchoredIn({ status, body }: ApiResponse): Verified | undefined {
  const verified = body as Verified;
  return status === 200 && verified.anchor.reference !== null ? verified : undefined;
}
