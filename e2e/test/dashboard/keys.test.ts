import { describe, expect, it } from "vitest";
import { expectAccessible, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();

describe.skipIf(dashboard.missing)("the API keys in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("creates a key pair, shows it once, rotates it and revokes it", async () => {
    const { page } = await dashboard.open("/agents");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("worker");
    await page.getByRole("button", { name: "Create key pair" }).click();

    const dialog = page.getByRole("dialog", { name: "Your new key pair" });
    const secret = await dialog.locator("code").last().innerText();
    expect(secret).toMatch(/^svc_ss_test_/);
    await page.evaluate("history.back()");
    await page.evaluate("new Promise((done) => setTimeout(done, 300))");
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain("svc_s");

    const row = page.getByRole("row", { name: /worker/ });
    await row.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("button", { name: "Rotate the key" }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByText(/works for 23 h 59 min more/).waitFor();

    await page
      .getByRole("row", { name: /worker.*Active/ })
      .getByRole("button", { name: "Revoke" })
      .click();
    const revoke = page.getByRole("button", { name: "Revoke the key" });
    expect(await revoke.isDisabled()).toBe(true);
    await page.getByLabel("Type worker to confirm").fill("worker");
    await revoke.click();
    // The key that it replaced ends with it.
    await expect.poll(() => page.getByRole("row", { name: /worker.*Revoked/ }).count()).toBe(2);
  });

  it("is accessible", async () => {
    const { page } = await dashboard.open("/keys");
    await page.getByRole("row", { name: /demo test/ }).waitFor();

    await expectAccessible(page);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").waitFor();
    await expectAccessible(page);
  });
});
