import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { enterCard, expectAccessible, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

/** What is typed anywhere in the document. */
const TYPED = "[...document.querySelectorAll('input, textarea')].map(({ value }) => value).join()";

/** Pastes a token into the provider's form, which is open, and goes back to the dashboard. */
async function pasteToken(page: Page): Promise<void> {
  await page.getByLabel("Token").fill("sandbox-ada");
  await page.getByRole("button", { name: "Link Acme DB" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
}

const withoutSpaces = (sent: string) => sent.replaceAll(/ |\+|%20/g, "");

/** Starts a proxy that records what a browser sends: targets, headers and bodies. Playwright does not show every body. */
async function startRecorder() {
  const sent: { readonly origin: string; readonly text: string }[] = [];
  const recorder = createServer(async (incoming, response) => {
    const { url = "", method, headers } = incoming;
    const body = await text(incoming);
    sent.push({ origin: new URL(url).origin, text: [url, JSON.stringify(headers), withoutSpaces(body)].join("\n") });
    const outgoing = request(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy()).end(body);
  });
  recorder.listen(0, "127.0.0.1");
  await once(recorder, "listening");
  onTestFinished(() => void recorder.close());
  return { sent, server: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}` };
}

/** The first calls of the Stripe simulator are slow, because it compiles Stripe's API description. */
async function useStripe(): Promise<void> {
  const client = dashboard.client("live");
  const { project_id } = await client.projects.create({ name: "Warm" });
  for (const payment_method_id of ["pm_card_chargeDeclined", "pm_card_visa"]) {
    const attach = () =>
      client.post(`/projects/${project_id}/billing/payment-methods`, { body: { payment_method_id } });
    await attach().catch(() => undefined);
  }
}

/** Creates a project with a link to Acme DB, through the API. */
async function linkedProject(name: string) {
  const client = dashboard.client();
  const { project_id } = await client.projects.create({ name, monthly_cap: "100.00" });
  const { url } = await client.projects.links.begin(project_id, { provider: "acme-db" as "neon" });
  const form = await (await fetch(url ?? "")).text();
  const once = /name="once" value="([^"]+)"/.exec(form)?.[1] ?? "";
  await fetch(url ?? "", { method: "POST", body: new URLSearchParams({ once, token: "sandbox-ada" }) });
  return { client, projectId: project_id };
}

describe.skipIf(dashboard.missing)("projects in the dashboard", { timeout: TEST_MAX_MS }, () => {
  beforeAll(useStripe, TEST_MAX_MS);

  it("creates a project, adds a card, links a provider, and adds, changes, rotates and removes a service", async () => {
    const { page } = await dashboard.open("/projects");
    await page.getByText("No projects yet").waitFor();
    await expectAccessible(page);
    await button(page, "Create project").click();
    await page.getByLabel("Name").fill("Shop");
    await page.getByLabel("Monthly cap in US dollars").fill("50.00");
    await button(page, "Create the project").click();
    await page.getByRole("heading", { name: "Shop" }).waitFor();

    await tab(page, "Billing");
    await button(page, "Add a card").click();
    await enterCard(page, "4000 0000 0000 0002");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add a card" }).click();
    await dialog.getByText("was rejected by the payment processor").first().waitFor();
    await expectAccessible(page);
    await enterCard(page, "4242 4242 4242 4242");
    await dialog.getByRole("button", { name: "Add a card" }).click();
    await page.getByText("Visa ending in 4242, expires 04/2032").waitFor();

    await tab(page, "Services");
    await button(page, "Add service").click();
    await page.getByLabel("Search the catalog").fill("acme db");
    await button(page, "Choose acme-db/postgres").click();
    await button(page, "Link Acme DB").click();
    await pasteToken(page);
    // The browser comes back to the form of the service that needed the link.
    await page.getByText("acme-db is linked").waitFor();
    await page.getByRole("radio", { name: /standard/ }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("primary-db");
    await page.getByRole("combobox", { name: "Provisioning" }).click();
    await page.getByRole("option", { name: "async", exact: true }).click();
    await button(page, "Add acme-db/postgres").click();
    const steps = page.getByRole("region", { name: "Adding a service" });
    await steps.getByText("Succeeded").waitFor();
    await page.reload();
    await steps.getByText("Succeeded").waitFor();
    await steps.getByRole("button", { name: "Dismiss" }).click();

    const card = page.getByRole("region", { name: "primary-db" });
    await card.getByText("standard, 10.00 USD per month").waitFor();
    await card.getByRole("button", { name: "Rotate" }).click();
    await button(page, "Rotate the credentials").click();
    await card.getByText(/^Version 2/).waitFor();
    await page.getByRole("region", { name: "Rotating credentials" }).getByText("Succeeded").waitFor();
    await card.getByRole("button", { name: "Change plan" }).click();
    await page.getByRole("radio", { name: /prorated/ }).click();
    await button(page, "Change the plan").click();
    await card.getByText("prorated, 31.00 USD per month").waitFor();

    await card.getByRole("button", { name: "Remove" }).click();
    const remove = button(page, "Remove the service");
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel("Type primary-db to confirm").fill("primary-db");
    await remove.click();
    await page.getByText("No services yet").waitFor();
    await tab(page, "Billing");
    await page.getByRole("row", { name: /plan prorated.*Succeeded/ }).waitFor();
  });

  it("sends a card's number to Stripe only: Purser gets none, and shows what Stripe says about it", async () => {
    const { projectId } = await linkedProject("Card");
    const { sent, server } = await startRecorder();
    const { page } = await dashboard.newSession({ proxy: { server, bypass: "<-loopback>" } });
    await page.goto(dashboard.at(`/dashboard/test/projects/${projectId}?tab=billing`));
    await dashboard.signIn(page, dashboard.line().demo);
    const origins = (text: string) =>
      new Set(sent.filter((one) => one.text.includes(text)).map(({ origin }) => origin));
    const purser = new URL(dashboard.at("/")).origin;

    await button(page, "Add a card").click();
    const dialog = page.getByRole("dialog");
    const add = dialog.getByRole("button", { name: "Add a card" });
    await page.frameLocator("iframe[title='Secure payment input frame']").getByLabel("Card number").waitFor();
    await add.click();
    await dialog.getByText("Your card's number is incomplete.").waitFor();
    await enterCard(page, "4242 4242 4242 4241");
    await add.click();
    await dialog.getByText("Your card number is incorrect.").waitFor();
    await expectAccessible(page);
    await enterCard(page, "4242 4242 4242 4242");
    await add.click();
    await page.getByText("Visa ending in 4242").waitFor();
    await button(page, "Replace the card").click();
    await enterCard(page, "4000 0025 0000 3155");
    await dialog.getByRole("button", { name: "Replace the card" }).click();
    await page.getByRole("link", { name: "Continue at the bank" }).click();
    await page.getByRole("button", { name: "Complete" }).click();
    await page.getByText("The bank has confirmed the card.").waitFor();

    const log = withoutSpaces(await dashboard.log());
    expect(log).not.toBe("");
    for (const number of ["4242424242424241", "4242424242424242", "4000002500003155"]) {
      const receivers = origins(number);
      expect([receivers.size, receivers.has(purser)]).toEqual([1, false]);
      expect(log).not.toContain(number);
    }
    expect([...origins('"payment_method_id":"pm_')]).toEqual([purser]);
  });

  it("shows why a service could not be added, and the progress of what another program adds", async () => {
    const { client, projectId } = await linkedProject("Progress");
    const { page } = await dashboard.open(`/projects/${projectId}?add=acme-db/postgres`);
    await page.getByRole("combobox", { name: "Fail at" }).click();
    await page.getByRole("option", { name: "provisioning" }).click();
    await button(page, "Add acme-db/postgres").click();
    await page.getByRole("alert").first().waitFor();
    await button(page, "Close").click();

    // It never ends, so its call does not answer while the page is open.
    const addition = client.projects.services.add(
      projectId,
      { service: "acme-db/postgres", name: "slow", config: { provisioning: "never" } },
      { maxRetries: 0 },
    );
    addition.catch(() => undefined);
    await expect
      .poll(async () => (await client.projects.services.list(projectId)).data.map(({ name }) => name))
      .toContain("slow");
    await page.reload();
    const slow = page.getByRole("region", { name: "slow" });
    await slow.getByText("Provider provisioning · running").waitFor();
    await expectAccessible(page);
  });

  it("links with a consent page, says what to do after a refusal, and revokes", async () => {
    const { projectId } = await linkedProject("Links");
    const { page } = await dashboard.open(`/projects/${projectId}?tab=links`);
    const link = async (decision: string) => {
      await button(page, "Link a provider").click();
      await page.getByRole("combobox", { name: "Provider" }).fill("Supabase");
      await page.getByRole("option", { name: "Supabase" }).click();
      await button(page, "Link Supabase").click();
      await page.getByRole("button", { name: decision }).click();
    };
    await link("Deny");
    await page.getByText("supabase is not linked").waitFor();
    await page.getByText("Link again and agree there.").first().waitFor();
    await expectAccessible(page);
    await link("Allow");
    await page.getByText("supabase is linked").waitFor();

    await page
      .getByRole("row", { name: /Supabase.*Linked/ })
      .getByRole("button", { name: "Revoke" })
      .click();
    await button(page, "Revoke the link").click();
    await page.getByRole("row", { name: /Supabase.*Revoked/ }).waitFor();
  });

  it("sets variables without ever showing their values, and compares a .env file by name", async () => {
    const { client, projectId } = await linkedProject("Environment");
    await client.projects.services.add(projectId, { service: "acme-db/postgres", name: "db" });
    await client.projects.env.pull(projectId);
    const { page } = await dashboard.open(`/projects/${projectId}?tab=environment`);
    await page.getByRole("row", { name: /DATABASE_URL db/ }).waitFor();

    const typed = () => page.evaluate<string>(TYPED);
    await button(page, "Set variable").click();
    await page.getByLabel("Value").fill("secret-value");
    expect(await typed()).toContain("secret-value");
    await button(page, "Cancel").click();
    await expect.poll(typed).not.toContain("secret-value");
    await button(page, "Set variable").click();
    expect(await page.getByLabel("Value").inputValue()).toBe("");
    await page.getByLabel("Name").fill("API_URL");
    await page.getByLabel("Value").fill("https://api.test/secret-value");
    await button(page, "Set the variable").click();
    const row = page.getByRole("row", { name: /API_URL Set here/ });
    await row.waitFor();
    expect(await page.content()).not.toContain("secret-value");

    await button(page, "Compare a .env file").click();
    await page
      .getByLabel("Your .env file")
      .fill("export API_URL='https://api.test/secret-value' # same\nONLY_MINE=1\n");
    await expectAccessible(page);
    await button(page, "Compare").click();
    const compared = page.getByRole("table", { name: "Comparison with development" });
    await expect.poll(typed).not.toContain("secret-value");
    await compared.getByRole("row", { name: /API_URL Same value/ }).waitFor();
    expect(await compared.getByRole("row", { name: /DATABASE_URL Missing in your file/ }).count()).toBe(1);
    expect(await compared.getByRole("row", { name: /ONLY_MINE Only in your file/ }).count()).toBe(1);
    expect(await page.content()).not.toContain("secret-value");
    await page.getByRole("row", { name: /Your key.*development.*1 variable/ }).waitFor();
    await expectAccessible(page);

    await row.getByRole("button", { name: "Delete" }).click();
    await button(page, "Delete the variable").click();
    await row.waitFor({ state: "detached" });
  });

  it("changes caps and settings, reactivates a stopped project, and deletes it after a preview", async () => {
    const { client, projectId } = await linkedProject("Doomed");
    await client.projects.services.add(projectId, { service: "acme-db/postgres", name: "db" });
    const { page } = await dashboard.open(`/projects/${projectId}?tab=billing`);
    await button(page, "Change the caps").click();
    await page.getByLabel("Monthly cap in US dollars").fill("75.5");
    await page.getByLabel("Cap of acme-db").fill("20");
    await button(page, "Save the caps").click();
    await page.getByText("0.00 of 75.50 USD").waitFor();
    await page.getByText("0.00 of 20.00 USD").waitFor();
    await expectAccessible(page);

    await client.post("/kill-switch", { body: { scope: "project", id: projectId, reason: "test" } });
    await tab(page, "Settings");
    await page.reload();
    await button(page, "Reactivate the project").click();
    await button(page, "Reactivate").click();
    await page.getByText("This project is suspended").waitFor({ state: "detached" });

    await button(page, "Edit the project").click();
    await page.getByLabel("Name").fill("Renamed");
    await page.getByLabel("Metadata").fill('{"team": "platform"}');
    await expectAccessible(page);
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "Renamed" }).waitFor();
    await page.getByText("team: platform").waitFor();
    await tab(page, "Activity");
    await page
      .getByRole("row", { name: /Project updated/ })
      .first()
      .waitFor();
    await expectAccessible(page);

    await tab(page, "Settings");
    await button(page, "Delete project").click();
    await page.getByText("db is destroyed with its data").waitFor();
    await page.getByLabel("Type Renamed to confirm").fill("Renamed");
    await button(page, "Delete the project").click();
    await page.waitForURL(/\/projects$/);
    expect(await page.getByRole("link", { name: "Renamed" }).count()).toBe(0);
  });
});
