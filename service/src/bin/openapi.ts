import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { closeApp, composeApp } from "../compose.ts";
import { newSecrets } from "../config/new-secrets.ts";
import { readConfig } from "../config.ts";
import { buildServer } from "../http/server.ts";

/**
 * The file that this script generates from the route schemas. With `--check`, the script fails if the file is out of
 * date.
 */
const FILE = join(import.meta.dirname, "../../../openapi/openapi.json");

const text = `${JSON.stringify(await openapiDocument(), null, 2)}\n`;
if (!process.argv.includes("--check")) {
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, text);
  console.log("Wrote openapi/openapi.json.");
} else if ((await readFile(FILE, "utf8").catch(() => "")) === text) {
  console.log("openapi/openapi.json is up to date.");
} else {
  console.error("openapi/openapi.json is out of date. Run `npm run openapi` and commit the file.");
  process.exitCode = 1;
}

/** Generates the document from a server that never receives a request, so the database need not be reachable. */
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
  // The document describes the production profile, without the vendors that exist only in other profiles.
  const settings = { ...config.settings, profile: "production" as const };
  const app = await composeApp({ ...config, settings, claimsFile: null });
  const server = await buildServer(app);
  const document = server.swagger();
  await server.close();
  await closeApp(app);
  return document;
}
