import { describe, expect, it } from "vitest";
import { createTestUsers, PASSWORD } from "../browser/test-users.ts";
import { TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard({ environment: { PURSER_CAPTCHA: "turnstile" } });
const users = createTestUsers(dashboard.line);

describe.skipIf(dashboard.missing)("signing up where Turnstile is configured", { timeout: TEST_MAX_MS }, () => {
  it("loads Turnstile's script from its own origin only, and sends the token of its widget", async () => {
    const { page } = await dashboard.newSession();
    const response = await page.goto(dashboard.at("/signup"));
    const policy = (await response?.headerValue("content-security-policy")) ?? "";
    await page.getByLabel("Email address").fill(users.newEmail());
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    const script = page.waitForResponse((response) => response.url().endsWith("/turnstile/v0/api.js?render=explicit"));
    await page.getByRole("button", { name: "Sign up" }).click();

    expect(policy).toContain(new URL((await script).url()).origin);
    // The server accepts only a token that was made for its host and action, once.
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
  });

  it("says so if Turnstile does not support the browser, above a dialog and in the page's colours", async () => {
    const { page } = await dashboard.newSession({ colorScheme: "dark" });
    // The simulator supports every browser. This script shows what it was given in the title.
    const body = `window.turnstile = { remove: () => {}, render: (node, options) => {
      document.title = options.theme + " " + getComputedStyle(node).zIndex;
      setTimeout(options["unsupported-callback"]);
    } }`;
    await page.route("**/turnstile/v0/api.js*", (route) => route.fulfill({ contentType: "text/javascript", body }));
    await page.goto(dashboard.at("/signup"));
    await page.getByLabel("Email address").fill(users.newEmail());
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign up" }).click();

    await page.getByText("Turnstile could not check this browser").waitFor();
    expect(await page.title()).toBe("dark 9999");
    expect(await page.getByRole("button", { name: "Sign up" }).isEnabled()).toBe(true);
  });
});
