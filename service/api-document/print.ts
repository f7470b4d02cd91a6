import { closeApp, composeApp } from "../src/compose.ts";
import { newSecrets } from "../src/config/new-secrets.ts";
import { readConfig } from "../src/config.ts";
import { allRoutes } from "../src/http/routes/manifest.ts";
import { describeApi } from "./describe-api.ts";

/** Prints the OpenAPI document of the routes, which `npm run generate` completes. */
process.stdout.write(JSON.stringify(await openapiDocument()));

/** Generates the document. The database need not be reachable. */
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
  const document = await describeApi(app, allRoutes);
  await closeApp(app);
  return document;
}
