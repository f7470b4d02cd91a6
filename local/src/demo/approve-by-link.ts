import type { Environment } from "@purser/service/config/reader.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "./find-chromium.ts";
import { submitForm } from "./submit-form.ts";

/** This limit is high, because browsers are slow on a busy machine. */
const STEP_MAX_MS = 30_000;

/**
 * Opens the page of an emailed approval in headless Chromium and presses Approve. Submits the page's form without a
 * browser if Chromium is not installed. Returns which of both it did.
 */
export async function approveByLink(url: string, environment: Environment): Promise<string> {
  const executablePath = findChromium(environment);
  if (executablePath !== undefined) {
    await approveInChromium(executablePath, url);
    return "in headless Chromium";
  }
  const { status } = await submitForm(url, { decision: "approved" });
  if (status !== 200) throw new Error(`The approval's page responded with status ${status}.`);
  return "by HTTP, because Chromium is not installed";
}

async function approveInChromium(executablePath: string, url: string): Promise<void> {
  // Loaded here, because only this step needs it.
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath,
    args: CHROMIUM_ARGUMENTS,
    timeout: STEP_MAX_MS,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(STEP_MAX_MS);
    await page.goto(url);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("heading", { name: "Approved", exact: true }).waitFor();
  } finally {
    await browser.close();
  }
}
