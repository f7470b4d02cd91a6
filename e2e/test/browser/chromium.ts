import { accessSync, constants } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

/** A page that takes longer is lost; a busy machine is merely slow. */
const STEP_MAX_MS = 30_000;

/** The shell without a window has the same engine, cookies and policies, and takes a third of the CPU. */
const NAMES = ["chromium-headless-shell", "chromium"];

/** As root it has no sandbox, and it asks nobody but us for anything. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];

/** One person's browser: cookies of its own, and a page. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser has complained of so far, and which of our pages could have run a script. A test takes out what it wants. */
  readonly complaints: string[];
}

/**
 * Chromium, for the tests of a file. `missing` is for `describe.skipIf`: where there is none, it says so. After each test no
 * page may have complained, and one that failed leaves a picture of every page that is open.
 */
export function useChromium(origin: () => string) {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    process.stderr.write(
      "Skipping the tests of a browser: no chromium (apt-get install chromium-headless-shell)\n",
    );
  }
  let browser: Browser;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    if (executablePath === undefined) return;
    browser = await chromium.launch({ executablePath, args: ARGUMENTS, timeout: STEP_MAX_MS });
  });
  afterAll(() => browser?.close());
  afterEach(async ({ task }) => {
    const seen = visitors.splice(0);
    if (task.result?.state === "fail") await keepPictures(seen);
    await Promise.all(seen.map(({ context }) => context.close()));
    expect(seen.flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  return {
    missing: executablePath === undefined,
    async newVisitor(): Promise<Visitor> {
      const context = await browser.newContext();
      context.setDefaultTimeout(STEP_MAX_MS);
      const complaints = complaintsOf(context, origin());
      const visitor = { context, complaints, page: await context.newPage() };
      visitors.push(visitor);
      return visitor;
    },
  };
}

function complaintsOf(context: BrowserContext, origin: string): string[] {
  const complaints: string[] = [];
  context.on("weberror", (error) => complaints.push(`threw: ${error.error().message}`));
  context.on("console", (message) => {
    // A refusal is a refusal, whatever the browser thinks of its status; what other origins' pages try is theirs.
    const isLoad = message.text().startsWith("Failed to load resource:");
    // A script that was put into a page has no address.
    const { url } = message.location();
    const isOurs = url === "" || url.startsWith(origin);
    if (message.type() === "error" && isOurs && !isLoad) complaints.push(message.text());
  });
  context.on("response", async (response) => {
    const isPage = response.headers()["content-type"]?.startsWith("text/html") ?? false;
    if (!isPage || new URL(response.url()).origin !== origin) return;
    const policy = response.headers()["content-security-policy"] ?? "none";
    if (!policy.includes("default-src 'none'") || /unsafe|script-src|\*|data:/.test(policy)) {
      complaints.push(`${response.url()} came with the policy: ${policy}`);
    }
  });
  return complaints;
}

async function keepPictures(visitors: readonly Visitor[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "purser-browser-"));
  const pages = visitors.flatMap(({ context }) => context.pages());
  for (const [index, page] of pages.entries()) {
    const path = join(folder, `${index}.png`);
    const taken = await page.screenshot({ path }).catch(() => undefined);
    if (taken !== undefined) console.info(`${page.url()} looked so: ${path}`);
  }
}

function findChromium(): string | undefined {
  const named = process.env["PURSER_CHROMIUM"];
  if (named !== undefined) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
