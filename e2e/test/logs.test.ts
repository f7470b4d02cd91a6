import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../src/find-secrets.ts";
import { createSignedClient, PREFIX, sendOnce } from "../src/signed-client.ts";
import { createClient, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const redis = await useRedis();

/**
 * After the tests of a file, `useDeployment` searches the servers' logs for secrets. The tests in this file also send
 * secrets in the wrong places, for example in a path or a header.
 */
describe.skipIf(redis.missing)("the log of a process", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));

  it("contains every call, but no key, secret or signing key", async () => {
    const server = await deployment.start();
    const tenant = await deployment.seedTenant();
    const other = await deployment.seedKey(tenant.tenantId);
    const client = createClient(server, tenant);

    expect((await client.get("/developers/me")).status).toBe(200);
    expect((await client.post("/projects", { name: tenant.apiKey })).status).toBe(201);
    await sendMisplacedSecrets(server.url, tenant);
    expect((await client.delete(`/developers/me/keys/${other.keyId}`)).status).toBe(200);
    expect((await createClient(server, other).get("/developers/me")).status).toBe(401);
    await redis.kill("SIGKILL");
    const once = createClient(server, tenant, { retriesMax: 0 });
    expect((await once.get("/developers/me")).status).toBe(503);
    await redis.restart();
    await server.stop();

    expect(server.log().match(/"request completed"/g)?.length).toBeGreaterThan(8);
    expect(server.log()).toContain('"code":"service_unavailable"');
    expect(deployment.secretsShownBy(server)).toEqual([]);
  });

  it("findSecrets finds a whole secret but not its first 12 characters", () => {
    const apiSecret = `svc_ss_live_${"A1b2C3d4".repeat(5)}`;
    const secrets = {
      key: sha256Hex(apiSecret),
      apiSecret,
      pem: `-----BEGIN-----\n${"q".repeat(64)}\n`,
    };

    for (const [name, secret] of Object.entries(secrets)) {
      const shown = secret.split("\n").find((line) => !line.startsWith("-----")) ?? "";
      expect(findSecrets(`{"msg":"odd: ${shown}"}`, secrets)).toEqual([name]);
      expect(findSecrets(`{"msg":"odd: ${shown.slice(0, 12)}…"}`, secrets)).toEqual([]);
    }
  });
});

/** Sends secrets in the wrong places: as the key, in the path, in the query, in a field and in a header. */
async function sendMisplacedSecrets(
  url: string,
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): Promise<void> {
  const base = `${url}${PREFIX}`;
  const json = { "content-type": "application/json" };
  const swapped = createSignedClient(url, { apiKey: apiSecret, apiSecret: apiKey });
  const statuses = [
    (await swapped.get("/developers/me")).status,
    (await sendOnce(`${base}/developers/me`, { headers: { authorization: `Bearer ${apiKey}` } })).status,
    (await sendOnce(`${base}/${apiSecret}`)).status,
    (await sendOnce(`${base}/time?secret=${apiSecret}`)).status,
    (await sendOnce(`${base}/time`, { headers: { "x-agent-id": apiSecret } })).status,
    (
      await sendOnce(`${base}/developers/login`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ email: apiSecret, password: apiSecret, [apiKey]: apiKey }),
      })
    ).status,
  ];
  expect(statuses).toEqual([401, 401, 404, 422, 422, 422]);
}
