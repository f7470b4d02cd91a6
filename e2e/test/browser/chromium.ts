import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../../local/src/demo/find-chromium.ts";

/** This limit is high, because browsers are slow on a busy machine. */
const STEP_MAX_MS = 60_000;
const TEXT_MAX_MS = 5_000;

/** A browser context with its own cookies, and a page. */
export interface BrowserSession {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Console errors, uncaught exceptions, and pages whose Content Security Policy allows scripts. Tests remove the
   * problems that they expect.
   */
  readonly problems: string[];
}

/**
 * Starts Chromium for the tests in a file. `missing` is true if Chromium is not installed. A test fails if a page has
 * an unexpected problem. If a test fails, a screenshot of every open page is saved, and its text is a second error of the test.
 */
export function useChromium(origin: () => string) {
  const executablePath = findChromium(process.env);
  if (executablePath === undefined) {
    process.stderr.write(
      "Skipping the browser tests: Chromium is not installed (apt-get install chromium-headless-shell)\n",
    );
  }
  let browser: Browser;
  const sessions: BrowserSession[] = [];

  beforeAll(async () => {
    if (executablePath === undefined) return;
    browser = await chromium.launch({
      executablePath,
      args: CHROMIUM_ARGUMENTS,
      timeout: STEP_MAX_MS,
    });
  });
  afterAll(() => browser?.close());
  afterEach(async ({ task }) => {
    const finished = sessions.splice(0);
    const pages = finished.flatMap(({ context }) => context.pages());
    const shown = task.result?.state === "fail" ? await describePages(pages) : [];
    await Promise.all(finished.map(({ context }) => context.close()));
    if (shown.length > 0) throw new Error(`The pages showed: ${shown.join("; ")}`);
    expect(finished.flatMap(({ problems }) => problems)).toEqual([]);
  });

  return {
    missing: executablePath === undefined,
    async newSession(options: BrowserContextOptions = {}): Promise<BrowserSession> {
      const context = await browser.newContext({ reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(STEP_MAX_MS);
      const problems = recordProblems(context, origin());
      const session = { context, problems, page: await context.newPage() };
      sessions.push(session);
      return session;
    },
  };
}

function recordProblems(context: BrowserContext, origin: string): string[] {
  const problems: string[] = [];
  context.on("weberror", (error) => problems.push(`threw: ${error.error().message}`));
  context.on("console", (message) => {
    // Ignores messages about failed loads (such as error statuses) and messages from pages of other origins.
    const isLoad = message.text().startsWith("Failed to load resource:");
    // A script that a test injects has no URL.
    const { url } = message.location();
    const isOwnPage = url === "" || url.startsWith(origin);
    if (message.type() === "error" && isOwnPage && !isLoad) problems.push(message.text());
  });
  context.on("response", async (response) => {
    const isPage = response.headers()["content-type"]?.startsWith("text/html") ?? false;
    if (!isPage || new URL(response.url()).origin !== origin) return;
    const policy = response.headers()["content-security-policy"] ?? "none";
    // The dashboard's scripts are files of the server, and of the simulators whose widgets it shows.
    const others = policy.replace(/script-src 'self'( http:\/\/127\.0\.0\.1:\d+)*;/, "");
    if (!policy.includes("default-src 'none'") || /unsafe|script-src|\*|data:/.test(others)) {
      problems.push(`${response.url()} has the policy: ${policy}`);
    }
  });
  return problems;
}

/** Saves a screenshot of every page. Returns the beginning and the end of what each page showed. */
async function describePages(pages: readonly Page[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "purser-browser-"));
  return Promise.all(
    pages.map(async (page, index) => {
      const path = join(folder, `${index}.png`);
      const screenshot = await page.screenshot({ path }).catch(() => undefined);
      if (screenshot !== undefined) console.info(`Screenshot of ${page.url()}: ${path}`);
      const text = await page.locator("body").innerText({ timeout: TEXT_MAX_MS }).catch(String);
      const words = text.replace(/\s+/g, " ");
      // Dialogs are at the end of the page.
      return `${page.url()}: ${words.length > 900 ? `${words.slice(0, 600)} … ${words.slice(-300)}` : words}`;
    }),
  );
}
