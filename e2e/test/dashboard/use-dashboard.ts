import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Purser } from "@purser/sdk";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type LaunchOptions, type StartLine, start, useLocalProfile } from "../../../local/test/local-profile.ts";
import { type BrowserSession, useChromium } from "../browser/chromium.ts";

/** These limits are high, because browsers are slow on a busy machine. */
const START_MAX_MS = 120_000;
export const TEST_MAX_MS = 120_000;

export const WIDE = { width: 1_280, height: 900 };
const NARROW = { width: 390, height: 844 };
/** The rules of WCAG 2.2 AA, and the only one of them that depends on colours. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const CONTRAST = ["color-contrast"];
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Starts the local profile for the tests of a file, and opens the dashboard in Chromium as its demo developer. */
export function useDashboard(options: LaunchOptions = {}) {
  let line: StartLine;
  let dataDir: string;
  const lab = useLocalProfile(afterAll);
  const chromium = useChromium(() => line.base_url);
  beforeAll(async () => {
    if (chromium.missing) return;
    dataDir = await lab.stoppedDataDir();
    ({ line } = await start(dataDir, options));
  }, START_MAX_MS);

  const at = (path: string) => line.base_url + path;
  return {
    missing: chromium.missing,
    line: () => line,
    at,
    /** The log of the server. */
    log: () => readFile(join(dataDir, "purser.log"), "utf8"),
    newSession: chromium.newSession,
    /** An SDK client with the demo developer's key pair, to arrange what a test then looks at. */
    client: (mode: "test" | "live" = "test") =>
      new Purser({ baseUrl: line.base_url, apiKey: line.demo[mode].api_key, apiSecret: line.demo[mode].api_secret }),
    /** Signs in as the demo developer, and opens a screen: `/projects`. */
    async open(path: string, mode: "test" | "live" = "test"): Promise<BrowserSession> {
      const session = await chromium.newSession();
      const { page } = session;
      await page.setViewportSize(WIDE);
      await page.goto(at(`/dashboard/${mode}${path}`));
      await signIn(page, line.demo);
      return session;
    },
    signIn,
  };
}

export async function signIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Screens" }).waitFor({ state: "attached" });
}

/** Enters a card in Stripe's frame, as a person does. */
export async function enterCard(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator("iframe[title='Secure payment input frame']");
  await frame.getByLabel("Card number").fill(number);
  await frame.getByLabel("Expiration date").fill("04 / 32");
  await frame.getByLabel("Security code").fill("123");
  await frame.getByLabel("ZIP code").fill("94107");
}

/** Logs in at the simulated bank in Plaid's frame, as the owner that its page proposes, and chooses the checking account. */
export async function logInAtBank(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Link a bank account" }).click();
  await page.getByRole("button", { name: "Continue to the bank" }).click();
  await page.frameLocator("iframe[title='Plaid Link']").getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("radio", { name: "Plaid checking" }).waitFor();
}

/** Waits until a change of the window or the colours is drawn, and nothing fades in: half faded, its contrast is too low. */
const DRAWN = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished)))`;

/** Returns the elements that violate these rules. The code of axe stays in the page until the next one is opened. */
async function violationsOf(page: Page, runOnly: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const options: RunOptions = { runOnly, resultTypes: ["violations"] };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Checks a screen with axe, in both colour schemes and on a wide and a narrow window. */
export async function expectAccessible(page: Page): Promise<void> {
  // The wide window is the last one, in which the test goes on.
  for (const viewport of [NARROW, WIDE]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.evaluate(DRAWN);
      const found = await violationsOf(page, colorScheme === "light" ? RULES : CONTRAST);
      expect(found, `${page.url()}, ${viewport.width} px, ${colorScheme}`).toEqual([]);
      const scrollWidth = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(scrollWidth, `${page.url()} is wider than the window`).toBeLessThanOrEqual(viewport.width);
    }
  }
}
