import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { closeApp, composeApp } from "../compose.ts";
import { newSecrets } from "../config/new-secrets.ts";
import { readConfig } from "../config.ts";
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
  const config = readConfig({
    ...newSecrets(),
    PURSER_PROFILE: "test",
    PURSER_PUBLIC_URL: "https://purser.invalid",
    PURSER_LOG_LEVEL: "silent",
    PURSER_CLAIMS_FILE: "nowhere",
    PURSER_AUDIT_ANCHOR_FILE: "nowhere",
    DATABASE_URL: "postgres://127.0.0.1/nowhere",
    SMTP_URL: "smtp://127.0.0.1",
  });
  // What production offers: the vendors of the other profiles are no part of the API.
  const settings = { ...config.settings, profile: "production" as const };
  const app = await composeApp({ ...config, settings, claimsFile: null });
  const server = await buildServer(app);
  const document = server.swagger();
  await server.close();
  await closeApp(app);
  return document;
}
