import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { everyVendorAt } from "@purser/service/config/vendors.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Environment, type LaunchedServer, launchServer } from "../src/server-process.ts";
import { sendOnce } from "../src/signed-client.ts";
import { createClient, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

/** Variables that the `test` profile accepts and the `production` profile rejects. */
const TEST_ONLY_VARIABLES = ["PURSER_EXEMPT_LOOPBACK", "WEBHOOK_ALLOW_LOOPBACK", ...Object.keys(everyVendorAt(""))];

const redis = await useRedis();

const launched: LaunchedServer[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-e2e-"));
});
afterAll(async () => {
  for (const server of launched) server.signal("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Starts a process that is expected to exit. If it does not, it is killed after the tests. */
function launch(environment: Environment): LaunchedServer {
  const server = launchServer(environment);
  launched.push(server);
  return server;
}

describe("a process with an invalid configuration", () => {
  it("exit code 1: the log lists every invalid variable and contains no secret", async () => {
    const secrets = newSecrets();
    const keyEncryptionKey = `local:${secrets.PURSER_KEY_ENCRYPTION_KEY}`;
    const server = launch({
      ...secrets,
      PURSER_KEY_ENCRYPTION_KEY: keyEncryptionKey,
      DATABASE_URL: "postgres://service:a-password-of-the-database@127.0.0.1:1/purser",
      PURSER_CLAIMS_FILE: join(folder, "claims"),
      PURSER_PUBLIC_URL: "http://purser.example.com",
      PURSER_CAPTCHA_DUMMIES: "yes",
      PURSER_EXEMPT_LOOPBACK: "yes",
      PURSER_KEY_REQUESTS_PER_SECOND: "0",
      PURSER_AUDIT_ANCHOR_FILE_FILE: join(folder, "absent"),
      SMTP_URL: "smtp://user:a-password-of-the-mail@localhost:25",
      STRIPE_SECRET_KEY: secrets.STRIPE_TEST_SECRET_KEY,
      STRIPE_TEST_SECRET_KEY: "sk_test_sandbox",
      NEON_API_URL: "https://simulators.internal/api/v2",
    });

    expect(await server.ended).toEqual({ code: 1, signal: null });

    const log = server.log();
    for (const name of [
      "REDIS_URL",
      "PURSER_PUBLIC_URL",
      "PURSER_CAPTCHA_DUMMIES",
      "PURSER_EXEMPT_LOOPBACK",
      "PURSER_KEY_REQUESTS_PER_SECOND",
      "key encryption key",
      "SMTP_URL",
      "STRIPE_SECRET_KEY",
      "STRIPE_TEST_SECRET_KEY",
      "NEON_API_URL",
      "PURSER_AUDIT_ANCHOR_FILE_FILE",
    ]) {
      expect(log).toContain(name);
    }
    expect(server.output()).toBe("");
    const shown = [...Object.values(secrets), "a-password"].filter((secret) => log.includes(secret));
    expect(shown).toEqual([]);
    expect(log).not.toContain("    at ");
  });

  it("exit code 1: the log lists every required variable if none is set", async () => {
    const server = launch({});

    expect(await server.ended).toEqual({ code: 1, signal: null });
    for (const name of [
      "DATABASE_URL",
      "REDIS_URL",
      "PURSER_KEY_ENCRYPTION_KEY",
      "PURSER_STATEMENT_KEY",
      "PURSER_ACCESS_TOKEN_KEY",
      "PURSER_CAPTCHA_SECRET",
      "PURSER_AUDIT_ANCHOR_FILE",
      "SMTP_URL",
      "STRIPE_SECRET_KEY",
      "STRIPE_TEST_SECRET_KEY",
    ]) {
      expect(server.log()).toContain(name);
    }
  });

  it("exit code 1: the stores do not respond; the log contains no secret", async () => {
    const server = launch({
      ...newSecrets(),
      PURSER_PROFILE: "test",
      PURSER_PORT: "0",
      DATABASE_URL: "postgres://service:a-password-of-the-database@127.0.0.1:1/purser",
      REDIS_URL: "redis://:a-password-of-redis@127.0.0.1:1",
      PURSER_AUDIT_ANCHOR_FILE: join(folder, "anchor"),
      SMTP_URL: "smtp://user:a-password-of-the-mail@127.0.0.1:9",
    });

    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.output()).toBe("");
    expect(server.log()).toContain("temporarily unavailable");
    expect(server.log()).not.toContain("a-password");
  });
});

describe.skipIf(redis.missing)("a process with a complete configuration", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));

  it("exit code 1: its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";

    const server = launch(deployment.environment({ PURSER_PORT: port }));

    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.log()).toContain("EADDRINUSE");
    expect(deployment.secretsShownBy(server)).toEqual([]);
    other.close();
  });

  it("200: starts in the production profile with its secrets in files", async () => {
    const variables = Object.entries(deployment.environment()).filter(([name]) => !TEST_ONLY_VARIABLES.includes(name));
    const inFiles = await Promise.all(
      variables.map(async ([name, value]) => {
        const isSecret = /_KEY$|_SECRET$|_URL$/.test(name);
        if (!isSecret) return [name, value];
        const path = join(folder, name);
        await writeFile(path, `${value}\n`, { mode: 0o600 });
        return [`${name}_FILE`, path];
      }),
    );
    const server = await deployment.serve({
      ...Object.fromEntries(inFiles),
      PURSER_PROFILE: "production",
      PURSER_PUBLIC_URL: "https://purser.example.com",
      SMTP_URL_FILE: await fileWith("smtps://user:password@mail.example.com"),
    });

    const client = createClient(server, await deployment.seedTenant());

    expect((await client.get("/developers/me")).status).toBe(200);
    expect((await sendOnce(`${server.url}/readyz`)).body).toMatchObject({ ready: true });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  async function fileWith(text: string): Promise<string> {
    const path = join(folder, "smtp-url");
    await writeFile(path, text);
    return path;
  }
});
