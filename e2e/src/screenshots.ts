import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Purser } from "@purser/sdk";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { chromium, type Page } from "playwright-core";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../local/src/demo/find-chromium.ts";
import { createProgress } from "../../local/src/progress.ts";
import { startLocal } from "../../local/src/start-local.ts";
import { measure } from "./screenshots/measure.ts";
import { adminScreens, developerScreens, signInWithPassword, visitorScreens } from "./screenshots/screens.ts";
import { seedAccount } from "./screenshots/seed-account.ts";
import { takeScreenshots } from "./screenshots/take-screenshots.ts";

/**
 * `npm run screenshots`: starts Purser, makes what a developer has after a few days, and takes a screenshot of every screen of the
 * dashboard into `docs/images/dashboard`.
 */

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    measure: { type: "boolean", default: false },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) {
  console.log(`Usage: npm run screenshots -- [options]

Takes a screenshot of every screen of the dashboard into docs/images/dashboard: light and dark, in a window of 1,280 and of
390 pixels.

  --only TEXT  the screens whose names contain the text
  --measure    no screenshots: measures how fast the overview opens, and whether a table of 10,000 rows scrolls smoothly`);
  process.exit();
}

const OUTPUT = join(import.meta.dirname, "../../docs/images/dashboard");

const executablePath = findChromium(process.env);
if (executablePath === undefined) throw new Error("Chromium is missing: apt-get install chromium-headless-shell");
await mkdir(OUTPUT, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), "purser-screens-"));
// If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
await chmod(dataDir, 0o711);
const purser = await startLocal({ dataDir, port: 0, progress: createProgress(() => {}) });
const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
try {
  const { api_key: apiKey, api_secret: apiSecret } = purser.demo.test;
  const ids = await seedAccount(new Purser({ baseUrl: purser.baseUrl, apiKey, apiSecret }), purser);
  const code = () => totpCode(purser.admin.totp_secret, new Date());
  if (values.measure) {
    const signIn = (page: Page) => signInWithPassword(page, purser.demo);
    console.log(JSON.stringify(await measure(browser, purser.baseUrl, signIn)));
  } else {
    for (const { screens, ...user } of [
      visitorScreens(),
      developerScreens(ids, purser.demo),
      adminScreens({ ...purser.admin, code }, purser.demo.email),
    ]) {
      const chosen = screens.filter(({ name }) => name.includes(values.only));
      await takeScreenshots(browser, purser.baseUrl, { ...user, screens: chosen }, OUTPUT);
    }
  }
} finally {
  await browser.close();
  await purser.close();
  await rm(dataDir, { recursive: true, force: true });
}
