import { readFile } from "node:fs/promises";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { describe, expect, it } from "vitest";
import { expectAccessible, signIn, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();
const TOTP_STEP_MS = 30_000;

/** Sends a request with the demo's test key that fails in the first steps of the verification. */
async function sendUnsigned(headers: Readonly<Record<string, string>>): Promise<void> {
  const { status } = await fetch(dashboard.at("/api/v1/svc/developers/me"), {
    headers: {
      ...{ authorization: dashboard.line().demo.test.api_key, "x-timestamp": String(Math.floor(Date.now() / 1_000)) },
      ...{ "x-nonce": crypto.randomUUID(), "x-request-signature": "0".repeat(64), ...headers },
    },
  });
  expect(status).toBe(401);
}

describe.skipIf(dashboard.missing)("provider keys in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("saves keys whose values leave the page, verifies the audit chain, and deletes them", async () => {
    const secret = "helius-secret-4711";
    const { page } = await dashboard.open("/provider-keys");
    const helius = page.getByRole("region", { name: "Helius" });
    await helius.getByText("Not configured").waitFor();
    await helius.getByRole("button", { name: "Add keys" }).click();
    const dialog = page.getByRole("dialog", { name: "Add keys for Helius" });
    const field = dialog.getByLabel("API key");
    expect(await field.getAttribute("type")).toBe("password");
    await field.fill(secret);
    await dialog.getByLabel("Label").fill("Main account");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save the keys" }).click();
    await dialog.waitFor({ state: "hidden" });

    await helius.getByText("Main account").waitFor();
    const inputs = "[...document.querySelectorAll('input:not([type=radio])')].map((input) => input.value).join()";
    await expect.poll(() => page.evaluate(inputs)).toBe("");
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain(secret);
    await helius.getByRole("button", { name: "Replace" }).click();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
    await page.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "Verify audit chain" }).click();
    const result = page.getByRole("status").filter({ hasText: "The chain is valid" });
    expect(await result.innerText()).toMatch(/Entries checked\s+1\s+Anchor\s+(Pending|Matched)/);
    await expectAccessible(page);

    await helius.getByRole("button", { name: "Delete" }).click();
    const remove = page.getByRole("button", { name: "Delete the keys" });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel("Type helius to confirm").fill("helius");
    await remove.click();
    await helius.getByText("Not configured").waitFor();
  });
});

describe.skipIf(dashboard.missing)("the request log in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("lists requests by their filters, and says how to fix those that were rejected", async () => {
    const purser = dashboard.client();
    await purser.projects.create({ name: "logged" });
    await purser.projects.get("proj_none").catch(() => undefined);
    const nonce = crypto.randomUUID();
    await sendUnsigned({ "x-timestamp": String(Math.floor(Date.now() / 1_000) - 42) });
    await sendUnsigned({ "x-nonce": nonce });
    await sendUnsigned({ "x-nonce": nonce });
    const { page } = await dashboard.open("/requests");

    await page.getByRole("row", { name: /404.*GET \/projects\/\{project_id\}/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Succeeded (2xx)" }).click();
    await page.getByRole("row", { name: /201.*POST \/projects/ }).waitFor();
    await expect.poll(() => page.getByRole("row", { name: /404/ }).count()).toBe(0);
    expect(page.url()).toContain("status=2xx");

    await page.getByRole("tab", { name: "Failed signatures" }).click();
    const clock = page.getByRole("row", { name: /Your clock is 4\d s behind/ });
    expect(await clock.innerText()).toMatch(/sync it with a time server[\s\S]*Step 2 of 5: timestamp[\s\S]*-4\d/);
    await page.getByRole("row", { name: /Make a new nonce for every attempt/ }).waitFor();
    await page.getByRole("row", { name: /The signature does not match the request.*Step 5 of 5/ }).waitFor();
    await expectAccessible(page);
  });
});

describe.skipIf(dashboard.missing)("the audit trail in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("filters entries, opens one, verifies the chain, and exports it", async () => {
    const { project_id } = await dashboard.client().projects.create({ name: "audited" });
    const { page } = await dashboard.open("/audit");
    await page.getByLabel("Subject").fill(project_id);
    await page.getByLabel("Subject").press("Enter");
    await page.getByRole("row", { name: /Project created project\.created Project audited/ }).waitFor();
    expect(page.url()).toContain(`subject_id=${project_id}`);
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("button", { name: "Project created" }).click();
    const details = page.getByRole("dialog", { name: "project.created" });
    await details.getByText(project_id).waitFor();
    await expectAccessible(page);
    await details.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "Verify audit chain" }).click();
    await page.getByText("The chain is valid").waitFor();
    await expectAccessible(page);

    await page.getByRole("button", { name: "Export" }).click();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download JSON lines" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe("audit-tenant.jsonl");
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ action: "audit.exported" });
  });
});

describe.skipIf(dashboard.missing)("the settings in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("saves the profile, and sends the data of the business", async () => {
    const { page } = await dashboard.open("/settings");
    await page.getByLabel("Company").fill("Ada Engines Ltd");
    await page.getByLabel("Website").fill("ftp://example.com");
    await page.getByLabel("An agent asks for an approval").uncheck();
    await page.getByRole("button", { name: "Save the profile" }).click();
    await page.getByText("must be an http or https URL").first().waitFor();
    expect(await page.getByLabel("Company").inputValue()).toBe("Ada Engines Ltd");
    await page.getByLabel("Website").fill("");
    await page.getByRole("combobox", { name: "Country" }).fill("germ");
    await page.getByRole("option", { name: "Germany" }).click();
    await page.getByRole("button", { name: "Save the profile" }).click();
    await page.getByText("The profile is saved.").waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("Company").inputValue()).toBe("Ada Engines Ltd");
    expect(await page.getByRole("combobox", { name: "Country" }).inputValue()).toBe("Germany");
    expect(await page.getByLabel("An agent asks for an approval").isChecked()).toBe(false);

    // The URL in errors of the API has no mode.
    await page.goto(dashboard.at("/dashboard/settings/kyb"));
    await page.getByLabel("Legal name").fill("Ada Engines Ltd");
    await page.getByLabel("Registration number").fill("12345678");
    await page.getByRole("combobox", { name: "Country of the register" }).fill("united k");
    await page.getByRole("option", { name: "United Kingdom" }).click();
    await page.getByRole("button", { name: "Send for verification" }).click();
    await page.getByText("A person checks it.").waitFor();
    await page.getByRole("button", { name: "Send again" }).waitFor();
    await expectAccessible(page);
  });

  it("turns on the second factor, ends another session, and turns it off again", async () => {
    const { page } = await dashboard.open("/settings");
    const other = await dashboard.open("/settings");
    await page.reload();
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("button", { name: "Show the QR code" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectAccessible(page);
    const factor = page.getByRole("region", { name: "Two-factor authentication" });
    const secret = await factor.locator("code").innerText();
    const now = new Date();
    await factor.getByRole("textbox", { name: "Code" }).fill("000000");
    await factor.getByRole("button", { name: "Turn on" }).click();
    await factor.getByRole("alert").waitFor();
    await factor.getByRole("textbox", { name: "Code" }).fill(totpCode(secret, now));
    await factor.getByRole("button", { name: "Turn on" }).click();

    const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
    const code = await dialog.locator("code").first().innerText();
    expect(await dialog.getByText(/^Code \d+$/).count()).toBe(10);
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await dialog.waitFor({ state: "hidden" });
    const content = await page.content();
    expect([content.includes(code), content.includes(secret)]).toEqual([false, false]);

    expect(await page.getByText("This session", { exact: true }).count()).toBe(1);
    const sessions = page.getByRole("region", { name: "Sessions" });
    const before = await sessions.getByRole("button", { name: "End" }).count();
    await sessions.getByRole("button", { name: "End" }).first().click();
    await page.getByRole("button", { name: "End the session" }).click();
    await expect.poll(() => sessions.getByRole("button", { name: "End" }).count()).toBe(before - 1);
    await other.page.reload();
    await other.page.getByLabel("Email address").waitFor();

    await factor.getByRole("button", { name: "Turn off" }).click();
    await page.getByLabel("Code").fill(totpCode(secret, new Date(Math.max(Date.now(), now.getTime() + TOTP_STEP_MS))));
    await page.getByRole("button", { name: "Turn it off" }).click();
    await factor.getByRole("button", { name: "Set up" }).waitFor();
    await signIn(other.page, dashboard.line().demo);
  });
});
