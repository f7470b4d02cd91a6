import { randomUUID } from "node:crypto";
import { totpCode } from "@purser/service/crypto/totp.ts";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { submitToken } from "../../src/submit-token.ts";
import { expectAccessible, TEST_MAX_MS, useDashboard, WIDE } from "./use-dashboard.ts";

const STEP_MS = 30_000;

const dashboard = useDashboard();
/** The session of the first sign-in, which lasts longer than the tests of this file. */
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>> | undefined;
let codesUsed = 0;

/** Returns a code that was not used. The server accepts the code of the next step. */
function nextCode(): string {
  codesUsed += 1;
  return totpCode(dashboard.line().admin.totp_secret, new Date(Date.now() + (codesUsed - 1) * STEP_MS));
}

async function signIn(page: Page): Promise<void> {
  const { email, password } = dashboard.line().admin;
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Code").fill(nextCode());
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Opens a screen as the admin: `/wallets`. */
async function open(path: string) {
  const session = await dashboard.newSession();
  const { context, page } = session;
  await page.setViewportSize(WIDE);
  if (cookies !== undefined) await context.addCookies(cookies);
  await page.goto(dashboard.at(`/admin${path}`));
  if (cookies === undefined) await signIn(page);
  await page.getByRole("navigation", { name: "Screens" }).waitFor({ state: "attached" });
  cookies ??= await context.cookies();
  return session;
}

async function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Readonly<Record<string, string>>;
}

/** The demo developer sends the data of a business. */
async function submitKyb(registration_number = "12345678"): Promise<void> {
  const { email, password } = dashboard.line().demo;
  const { access_token } = await post(dashboard.at("/api/v1/svc/developers/login"), { email, password });
  const business = { legal_name: "Ada Engines Ltd", registration_number, jurisdiction: "GB" };
  const headers = { authorization: `Bearer ${access_token}`, "idempotency-key": randomUUID() };
  await post(dashboard.at("/api/v1/svc/developers/dashboard/kyb"), business, headers);
}

async function newWallet() {
  const purser = dashboard.client();
  const { agent_id } = await purser.agents.create({ name: randomUUID() });
  return purser.wallets.create({ agent_id, network: "base" });
}

/** Adds a service whose provider neither returns its credentials nor deletes it. */
async function stuckOperation(): Promise<string> {
  const purser = dashboard.client("live");
  const { project_id } = await purser.projects.create({ name: randomUUID() });
  const link = await purser.projects.links.begin(project_id, { provider: "neon" });
  await submitToken(dashboard.line().base_url, link.url ?? "");
  for (const operation of ["getConnectionURI", "deleteProject"]) {
    await post(`${dashboard.line().sandbox_url}/api/outcomes`, { vendor: "neon", operation, outcome: "refused" });
  }
  const { operation } = await purser.projects.services.add(project_id, { service: "neon/postgres" });
  expect(operation).toMatchObject({ status: "needs_operator" });
  return operation.operation_id;
}

describe.skipIf(dashboard.missing)("the dashboard of admins", { timeout: TEST_MAX_MS }, () => {
  it("verifies a developer who began KYB, and shows who decided", async () => {
    await submitKyb();
    const { page } = await open("/developers");
    expect((await page.context().cookies()).every(({ httpOnly }) => httpOnly)).toBe(true);
    await page.getByRole("textbox", { name: "Search by email or id" }).fill("nobody@");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing matches the filters.").waitFor();
    await page.getByRole("textbox", { name: "Search by email or id" }).fill("demo@");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "KYB status" }).click();
    await page.getByRole("option", { name: "Pending" }).click();
    await expect.poll(() => page.url()).toMatch(/\/admin\/developers\?q=demo%40&kyb_status=pending$/);
    await page.getByRole("link", { name: "demo@purser.local" }).click();

    await page.getByText("Ada Engines Ltd").waitFor();
    await page.getByRole("button", { name: "Mark verified" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Registration number").inputValue()).toBe("12345678");
    // The dialog never decides about data that it does not show.
    await submitKyb("87654321");
    const isOpenAfterReturn = async () => {
      await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
      return dialog.isVisible();
    };
    // Data is read again when it is older than five seconds.
    await expect.poll(isOpenAfterReturn, { timeout: 15_000, interval: 500 }).toBe(false);
    await page.getByRole("button", { name: "Mark verified" }).click();
    expect(await dialog.getByLabel("Registration number").inputValue()).toBe("87654321");
    await dialog.getByLabel("Reference").fill("case 7");
    await dialog.getByRole("button", { name: "Mark verified" }).click();
    await page.getByRole("row", { name: /Verified.*In effect.*case 7/ }).waitFor();
    await page.getByRole("button", { name: "Revoke" }).waitFor();

    await page.getByRole("link", { name: "KYB queue" }).click();
    await page.getByText("No business waits.").waitFor();
    await expectAccessible(page);
  });

  it("approves the decision of another admin as it is, and refuses one about other data", async () => {
    const { page } = await open(`/developers?q=demo`);
    const sent: unknown[] = [];
    // A local server needs only one admin, so the first admin's decision is added to its answer.
    await page.route("**/admin/developers/dev_*", async (route) => {
      const body = await (await route.fetch()).json();
      const proposal = { proposed_by: "adm_other", proposed_at: "2026-07-01T10:00:00Z", note: "Looks wrong." };
      const decision = { status: "rejected", reference: "No such company", expires_at: null };
      const nothing = { legal_name: null, registration_number: null, jurisdiction: null };
      const waiting_kyb_decision = { ...decision, ...nothing, ...proposal };
      const kyb_case = { ...body.kyb_case, submitted_at: "2026-06-01T10:00:00Z" };
      await route.fulfill({ json: { ...body, waiting_kyb_decision, kyb_case } });
    });
    page.on("request", (request) => request.url().endsWith("/verify-kyb") && sent.push(request.postDataJSON()));
    await page.getByRole("link", { name: "demo@purser.local" }).click();
    await page.getByText("“Rejected” waits for a second admin").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Approve this decision" }).click();
    await page.getByRole("button", { name: "Approve", exact: true }).click();

    await page.getByText("The developer has sent other data since.").waitFor();
    const { developer_id } = await dashboard.client().developers.me();
    const [submitted_at, reference] = ["2026-06-01T10:00:00Z", "No such company"];
    expect(sent).toEqual([{ developer_id, status: "rejected", reference, submitted_at }]);
  });

  it("freezes a wallet after a session that ended in between, and unfreezes it", async () => {
    const { wallet_id, address } = await newWallet();
    const { page, context } = await open(`/wallets?q=${address}`);
    await page.getByRole("row", { name: new RegExp(wallet_id.slice(-6)) }).waitFor();
    await page.getByRole("button", { name: "Freeze" }).click();
    const dialog = page.getByRole("dialog", { name: `Freeze ${wallet_id}` });
    await dialog.getByRole("combobox", { name: "Reason" }).click();
    await page.getByRole("option", { name: "Sanctions match" }).click();
    await dialog.getByLabel("Reference").fill("list 12");
    const freeze = dialog.getByRole("button", { name: "Freeze the wallet" });
    expect(await freeze.isDisabled()).toBe(true);
    await dialog.getByLabel(/to confirm/).fill(address.slice(-6));
    await expectAccessible(page);

    const refreshes: string[] = [];
    page.on("request", (request) => request.url().endsWith("/token/refresh") && refreshes.push(request.url()));
    await context.clearCookies();
    await freeze.click();
    await page.getByText("Your session has ended").waitFor();
    await signIn(page);
    await page.getByText("Sanctions match · list 12").waitFor();
    expect(refreshes).toEqual([]);
    expect((await dashboard.client().wallets.get(wallet_id)).status).toBe("frozen");
    await expectAccessible(page);

    await page.getByRole("button", { name: "Unfreeze" }).click();
    await page.getByRole("combobox", { name: "Reason" }).click();
    await page.getByRole("option", { name: "Other" }).click();
    await page.getByLabel(/to confirm/).fill(address.slice(-6));
    await page.getByRole("button", { name: "Unfreeze the wallet" }).click();
    await page.getByRole("button", { name: "Freeze", exact: true }).waitFor();
    expect((await dashboard.client().wallets.get(wallet_id)).status).toBe("active");
  });

  it("lets the server undo a stuck operation again, and undoes another by hand", async () => {
    const [first, second] = [await stuckOperation(), await stuckOperation()];
    const { page } = await open("/operations?status=needs_operator");
    const card = (id: string) => page.locator("section", { hasText: id });
    await card(second).getByText("could not be undone at the provider").waitFor();
    await expectAccessible(page);
    await card(first).getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Run again" }).click();
    await card(first).waitFor({ state: "detached" });

    await card(second).getByRole("button", { name: "Undo" }).click();
    await page.getByLabel("What you did at the provider").fill("Deleted the database in the console.");
    await expectAccessible(page);
    await page.getByRole("button", { name: /I have undone the step/ }).click();
    await page.getByText("Nothing is stuck").waitFor();
    const purser = dashboard.client("live");
    // An operation that is being undone is not stuck.
    for (const id of [first, second]) {
      await expect.poll(async () => (await purser.operations.get(id)).status, { timeout: 15_000 }).toBe("compensated");
    }
  });

  it("shows health, and what the admin has done", async () => {
    const { page } = await open("");
    await page.getByText("The server can serve requests.").waitFor();
    await expectAccessible(page);
    const again = page.waitForRequest(/admin\/health$/);

    const audit = await page.context().newPage();
    await audit.goto(dashboard.at("/admin/audit"));
    await audit.getByRole("row", { name: /wallet.frozen/ }).waitFor();
    await audit
      .getByText(/anchor/i)
      .first()
      .waitFor();
    await expectAccessible(audit);
    await again;
    const { developer_id } = await dashboard.client().developers.me();
    await audit.getByRole("textbox", { name: "About developer" }).fill(developer_id);
    await audit.keyboard.press("Enter");
    await expect.poll(() => audit.getByRole("row", { name: /health.read/ }).count()).toBe(0);
    await audit.getByRole("row", { name: /developer.kyb_updated/ }).waitFor();

    await audit.goto(dashboard.at("/admin/developers"));
    await audit.getByRole("link", { name: "demo@purser.local" }).waitFor();
    await expectAccessible(audit);
    await audit.getByRole("button", { name: "Account" }).click();
    await audit.getByRole("menuitem", { name: "Sign out" }).click();
    await audit.getByText("Sign in as an admin").waitFor();
    await expectAccessible(audit);
  });
});
