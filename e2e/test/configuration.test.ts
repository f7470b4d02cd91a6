import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { everyVendorAt } from "@purser/service/config/vendors.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Environment, type LaunchedService, launchService } from "../src/service-process.ts";
import { ask } from "../src/signed-client.ts";
import { clientOf, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

/** What the test profile takes and production refuses. */
const STAND_INS = ["PURSER_EXEMPT_LOOPBACK", ...Object.keys(everyVendorAt(""))];

const redis = await useRedis();

const launched: LaunchedService[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-e2e-"));
});
afterAll(async () => {
  for (const service of launched) service.signal("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Runs a process that is to refuse. One that does not would outlive the tests. */
function launch(environment: Environment): LaunchedService {
  const service = launchService(environment);
  launched.push(service);
  return service;
}

describe("a process whose configuration cannot be used", () => {
  it("does not start, says all that is wrong at once, and shows no secret", async () => {
    const secrets = newSecrets();
    const keyEncryptionKey = `local:${secrets.PURSER_KEY_ENCRYPTION_KEY}`;
    const service = launch({
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

    expect(await service.ended).toEqual({ code: 1, signal: null });

    const said = service.log();
    for (const named of [
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
      expect(said).toContain(named);
    }
    expect(service.output()).toBe("");
    const shown = [...Object.values(secrets), "a-password"].filter((secret) =>
      said.includes(secret),
    );
    expect(shown).toEqual([]);
    expect(said).not.toContain("    at ");
  });

  it("names everything that it needs where there is nothing at all", async () => {
    const service = launch({});

    expect(await service.ended).toEqual({ code: 1, signal: null });
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
      expect(service.log()).toContain(name);
    }
  });

  it("does not start where its stores are not there, ends, and shows no secret", async () => {
    const service = launch({
      ...newSecrets(),
      PURSER_PROFILE: "test",
      PURSER_PORT: "0",
      DATABASE_URL: "postgres://service:a-password-of-the-database@127.0.0.1:1/purser",
      REDIS_URL: "redis://:a-password-of-redis@127.0.0.1:1",
      PURSER_AUDIT_ANCHOR_FILE: join(folder, "anchor"),
      SMTP_URL: "smtp://user:a-password-of-the-mail@127.0.0.1:9",
    });

    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.output()).toBe("");
    expect(service.log()).toContain("does not respond");
    expect(service.log()).not.toContain("a-password");
  });
});

describe.skipIf(redis.missing)("a process with all that it needs", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));

  it("does not start where its port is taken, and ends", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";

    const service = launch(deployment.environment({ PURSER_PORT: port }));

    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.log()).toContain("EADDRINUSE");
    expect(deployment.secretsShownBy(service)).toEqual([]);
    server.close();
  });

  it("200: starts in the production profile with its secrets in files, and answers", async () => {
    const real = Object.entries(deployment.environment()).filter(
      ([name]) => !STAND_INS.includes(name),
    );
    const inFiles = await Promise.all(
      real.map(async ([name, value]) => {
        const isSecret = /_KEY$|_SECRET$|_URL$/.test(name);
        if (!isSecret) return [name, value];
        const path = join(folder, name);
        await writeFile(path, `${value}\n`, { mode: 0o600 });
        return [`${name}_FILE`, path];
      }),
    );
    const service = await deployment.serve({
      ...Object.fromEntries(inFiles),
      PURSER_PROFILE: "production",
      PURSER_PUBLIC_URL: "https://purser.example.com",
      SMTP_URL_FILE: await fileWith("smtps://user:password@mail.example.com"),
    });

    const client = clientOf(service, await deployment.seedTenant());

    expect((await client.get("/developers/me")).status).toBe(200);
    expect((await ask(`${service.url}/readyz`)).body).toMatchObject({ ready: true });
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  async function fileWith(text: string): Promise<string> {
    const path = join(folder, "smtp-url");
    await writeFile(path, text);
    return path;
  }
});
