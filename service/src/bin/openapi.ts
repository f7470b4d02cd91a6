import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { composeApp } from "../compose.ts";
import { parseKeyEncryptionKey } from "../config/key-encryption-keys.ts";
import { vendorsAt } from "../config/vendors.ts";
import { defaultSettings } from "../foundation/settings.ts";
import { buildServer } from "../http/server.ts";

/** Writes the OpenAPI document from the routes' own schemas; with `--check`, says instead whether the file is up to date. */
const FILE = join(import.meta.dirname, "../../../openapi/openapi.json");

const text = `${JSON.stringify(await openapiDocument(), null, 2)}\n`;
if (!process.argv.includes("--check")) {
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, text);
  console.log("Wrote openapi/openapi.json.");
} else if ((await readFile(FILE, "utf8").catch(() => "")) === text) {
  console.log("openapi/openapi.json says what the routes say.");
} else {
  console.error(
    "openapi/openapi.json is not what the routes say. Run `npm run openapi` and commit it.",
  );
  process.exitCode = 1;
}

/** Builds a server that is never asked anything, so its stores need not be there. */
async function openapiDocument(): Promise<object> {
  const app = await composeApp({
    profile: "test",
    host: "127.0.0.1",
    port: 0,
    roles: ["api"],
    databaseUrl: "postgres://127.0.0.1/nowhere",
    databaseConnectionsMax: { requests: 1, authentication: 1, jobs: 1 },
    instanceId: "openapi",
    workflowLeaseMs: 1,
    workflowConnectionsMax: 1,
    redisUrl: null,
    redisKeyPrefix: "",
    claimsFile: null,
    keyEncryptionKeys: {
      current: parseKeyEncryptionKey(randomBytes(32).toString("base64")),
      previous: [],
    },
    statementKey: newEd25519Key(),
    retiredStatementKeys: [],
    accessTokenKey: newEd25519Key(),
    adminTokenKey: newEd25519Key(),
    captcha: { kind: "altcha", secret: randomBytes(32).toString("hex"), acceptDummies: false },
    auditAnchor: { kind: "file", path: "" },
    smtpUrl: "smtp://127.0.0.1",
    mailFrom: "",
    vendors: vendorsAt("https://nowhere.invalid"),
    trustedProxies: [],
    logLevel: "silent",
    settings: { ...defaultSettings, publicUrl: "https://purser.invalid" },
  });
  const server = await buildServer(app);
  const document = server.swagger();
  await server.close();
  await app.fastState.close();
  return document;
}

function newEd25519Key(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
