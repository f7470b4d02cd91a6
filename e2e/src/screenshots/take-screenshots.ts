import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";

/** A screen, and what is done before its screenshot is taken: a dialog is opened. */
export interface Screen {
  /** The name of the file. */
  readonly name: string;
  readonly path: string;
  readonly open?: (page: Page) => Promise<void>;
}

/** Screens that the same user sees. `signIn` is called once, on the first screen. */
export interface Screens {
  readonly screens: readonly Screen[];
  readonly signIn?: (page: Page) => Promise<void>;
}

const WINDOWS = [
  { colorScheme: "light", width: 1_280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 1_280 },
  { colorScheme: "dark", width: 390 },
] as const;
/** Of longer screens, a screenshot shows the upper part. */
const HEIGHT = 1_000;
const SCALE = 0.75;
const QUALITY = 72;
const DIALOG_MS = 500;
const IDLE_MAX_MS = 5_000;

/** Writes one image for each screen: light above dark, and wide beside narrow. */
export async function takeScreenshots(
  browser: Browser,
  baseUrl: string,
  { screens, signIn }: Screens,
  folder: string,
): Promise<void> {
  if (screens.length === 0) return;
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  if (signIn !== undefined) {
    await page.goto(baseUrl + (screens[0]?.path ?? ""));
    await signIn(page);
  }
  for (const screen of screens) {
    const shots: string[] = [];
    for (const { colorScheme, width } of WINDOWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      await page.goto(baseUrl + screen.path);
      await page.waitForLoadState("networkidle", { timeout: IDLE_MAX_MS }).catch(() => {});
      await screen.open?.(page);
      // A dialog loads its own code and data.
      await page.waitForTimeout(DIALOG_MS);
      shots.push((await page.screenshot({ type: "png" })).toString("base64"));
    }
    await writeTogether(context, shots, join(folder, `${screen.name}.jpg`));
    console.log(screen.name);
  }
  await context.close();
}

async function writeTogether(context: BrowserContext, shots: readonly string[], path: string): Promise<void> {
  const sheet = await context.newPage();
  const images = WINDOWS.map(
    ({ width }, index) => `<img width="${width * SCALE}" src="data:image/png;base64,${shots[index]}">`,
  );
  await sheet.setContent(
    `<style>body{margin:0;width:1273px;background:#888;display:flex;flex-wrap:wrap;gap:10px}</style>${images.join("")}`,
  );
  await sheet.locator("body").screenshot({ path, type: "jpeg", quality: QUALITY });
  await sheet.close();
}
