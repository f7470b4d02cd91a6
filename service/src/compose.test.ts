import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createServiceDatabase } from "../test/database.ts";
import { asSuperuser } from "../test/project-seeds.ts";
import { seedDeveloper } from "../test/seeds.ts";
import { vendorEnvironment } from "../test/vendors/sandbox.ts";
import { startService } from "./compose.ts";
import { newSecrets } from "./config/new-secrets.ts";
import { readConfig } from "./config.ts";
import { newId } from "./foundation/ids.ts";
import { openVault } from "./vault/vault.ts";

it("starts while its port is reserved, and listens after the port is released", async () => {
  const reserved = createServer().listen(0, "127.0.0.1");
  await once(reserved, "listening");
  const { port } = reserved.address() as AddressInfo;
  const { config } = await arrange(port);

  const service = await startService(config, {
    handOverPort: async (listen) => {
      reserved.close();
      await once(reserved, "close");
      return listen();
    },
  });
  onTestFinished(service.close);

  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});

it("writes the request log before it stops", async () => {
  const { config, database } = await arrange(0);
  const service = await startService(config);
  const { app } = service;
  const tenantId = await seedDeveloper(app);
  app.requestLog.note({
    ...{ tenantId, keyId: newId("key"), requestId: newId("req"), mode: "live", method: "GET", path: "/" },
    ...{ status: 200, durationMs: 1, errorCode: null, agentId: null, createdAtMs: app.clock.now().getTime() },
  });

  await service.close();

  const logged = await asSuperuser(database.superuserUrl, (client) => client.query("select from logged_requests"));
  expect(logged.rowCount).toBe(1);
});

it("does not start in production as a superuser of the database, or with a key that decrypts no data key", async () => {
  const { config, database } = await arrange(0);
  const service = await startService(config);
  await openVault(service.app, await seedDeveloper(service.app));
  await service.close();
  const production = { ...config, profile: "production" } as const;
  const { keyEncryptionKeys } = (await arrange(0)).config;

  await expect(startService({ ...production, databaseUrl: database.superuserUrl })).rejects.toThrow(/a superuser/);
  await expect(startService({ ...production, keyEncryptionKeys })).rejects.toThrow(
    /PURSER_KEY_ENCRYPTION_KEY decrypts no data key of /,
  );
});

/** Creates a database, and a configuration for a server on it. */
async function arrange(port: number) {
  const folder = await mkdtemp(join(tmpdir(), "purser-compose-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await createServiceDatabase();
  const config = readConfig({
    ...newSecrets(),
    ...vendorEnvironment(undefined),
    PURSER_PROFILE: "test",
    PURSER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PURSER_PORT: String(port),
    PURSER_LOG_LEVEL: "error",
    SMTP_URL: "smtp://127.0.0.1:9",
    DATABASE_URL: database.serviceUrl,
    PURSER_CLAIMS_FILE: join(folder, "claims.jsonl"),
    PURSER_AUDIT_ANCHOR_FILE: join(folder, "anchor.jsonl"),
  });
  return { config, database };
}
