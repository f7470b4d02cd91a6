import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createServiceDatabase } from "../test/database.ts";
import { vendorEnvironment } from "../test/vendors/sandbox.ts";
import { startService } from "./compose.ts";
import { newSecrets } from "./config/new-secrets.ts";
import { readConfig } from "./config.ts";

it("starts while its port is reserved, and listens after the port is released", async () => {
  const reserved = createServer().listen(0, "127.0.0.1");
  await once(reserved, "listening");
  const { port } = reserved.address() as AddressInfo;
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
