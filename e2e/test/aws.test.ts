import { randomBytes } from "node:crypto";
import { createAwsKmsKeyEncryptionKey } from "@purser/service/adapters/key-encryption-key/aws-kms-key-encryption-key.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSeedApp, type SeedApp, seedDeveloper, seedKeyPair } from "../../service/test/seeds.ts";
import { startMoto, type TestMoto } from "../../service/test/vendors/moto.ts";
import {
  createMotoBucket,
  createMotoKey,
  motoClient,
} from "../../service/test/vendors/moto-resources.ts";
import type { Environment, ServiceProcess } from "../src/service-process.ts";
import type { Answer } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { clientOf, query, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const ME = "/developers/me";
const VERIFY = "/audit/verify";
/** Within five seconds, where nothing else keeps the machine busy. */
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
  let service: ServiceProcess;

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
    service = await deployment.start(aws);
  }, TEST_MAX_MS);
  afterAll(() => seeds?.db.destroy());

  async function seedClient(at: ServiceProcess) {
    const tenantId = await seedDeveloper(seeds);
    const pair = await seedKeyPair(seeds, tenantId);
    return { tenantId, pair, client: clientOf(at, pair) };
  }

  it(
    "keeps no data key in the clear, and opens it again after a restart",
    async () => {
      const { tenantId, pair, client } = await seedClient(service);
      expect((await client.get(ME)).status).toBe(200);

      const [kept] = await query<{ id: string }>(
        database.superuserUrl,
        "select key_encryption_key_id as id from tenant_data_keys where tenant_id = $1",
        [tenantId],
      );
      expect(kept?.id).toBe(aws["PURSER_KEY_ENCRYPTION_KEY"]);

      const restarted = await deployment.start(aws);
      expect((await clientOf(restarted, pair).get(ME)).status).toBe(200);
      await restarted.stop();
    },
    TEST_MAX_MS,
  );

  it(
    "anchors the audit trail in the bucket, and finds it to match",
    async () => {
      const { tenantId, client } = await seedClient(service);
      await client.post("/projects", { name: "Anchored" });

      const { value } = await until(
        "the chain is anchored",
        async () => anchoredIn(await client.get(VERIFY)),
        ANCHORED_MAX_MS,
      );

      expect(value).toMatchObject({ valid: true, anchor: { status: "matched" } });
      const place = `s3://${bucket}/production/${tenantId}/tenant/`;
      expect(value.anchor.reference).toMatch(
        new RegExp(`^${place}\\d{10}-[0-9a-f]{64}\\.json\\?versionId=.+$`),
      );
    },
    TEST_MAX_MS,
  );

  it(
    "goes on without AWS with what it knows, refuses what it does not, and calls no trail valid",
    async () => {
      const known = await seedClient(service);
      const unknown = await seedClient(service);
      await known.client.post("/projects", { name: "Anchored" });
      await until(
        "the chain is anchored",
        async () => anchoredIn(await known.client.get(VERIFY)),
        ANCHORED_MAX_MS,
      );
      // Whatever the busy machine has let expire is known again.
      expect((await known.client.get(ME)).status).toBe(200);

      await moto?.stop();

      expect((await known.client.get(ME)).status).toBe(200);
      const refused = await clientOf(service, unknown.pair, { retriesMax: 0 }).get(ME);
      expect(refused).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      const verified = await known.client.get(VERIFY);
      expect(verified).toMatchObject({
        status: 200,
        body: { valid: null, anchor: { status: "unavailable" } },
      });
    },
    TEST_MAX_MS,
  );
});

/** Where the AWS SDK looks for what it needs. */
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

function anchoredIn({ status, body }: Answer): Verified | undefined {
  const verified = body as Verified;
  return status === 200 && verified.anchor.reference !== null ? verified : undefined;
}
