import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Event } from "@purser/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAccessible, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();

/** A developer's server, which keeps the events whose signature is right. */
const received: Event[] = [];
let secret = "";
const server = createServer(async (request, response) => {
  try {
    received.push(await dashboard.client().webhooks.unwrap(await text(request), request.headers, secret));
    response.end("thanks");
  } catch {
    response.writeHead(400).end("wrong signature");
  }
});
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => server.close());

const idsOf = (wanted: string) => received.filter(({ type }) => type === wanted).map(({ id }) => id);

describe.skipIf(dashboard.missing)("the webhooks in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("creates a webhook, shows its secret once, tests it, replays a delivery, rotates the secret, and deletes it", async () => {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { page } = await dashboard.open("/webhooks");
    await page.getByText("No webhooks yet").waitFor();
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByLabel("URL").fill(`http://${host}/hooks`);
    const events = page.getByRole("combobox", { name: "Events" });
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await events.fill("project.");
    await page.getByRole("option", { name: "project.*" }).click();
    await events.fill("agent.created");
    await page.getByRole("option", { name: "agent.created" }).click();
    await events.press("Escape");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create the webhook" }).click();

    const shown = page.getByRole("dialog", { name: "The secret of the webhook" });
    const readSecret = async () => {
      secret = await shown.locator("code").innerText();
      expect(secret).toMatch(/^whsec_/);
      await shown.getByRole("button", { name: "I have stored it" }).click();
      await shown.waitFor({ state: "hidden" });
      expect(await page.content()).not.toContain(secret);
    };
    await shown.getByRole("button", { name: "Copy the Signing secret" }).waitFor();
    await readSecret();
    await page.getByRole("heading", { name: `http://${host}/hooks` }).waitFor();
    await page.getByText("project.*, agent.created").waitFor();

    const test = page.getByRole("region", { name: "Test" });
    await test.getByRole("button", { name: "Send test event" }).click();
    await test.getByText("thanks").waitFor();
    expect(await test.getByRole("status").innerText()).toMatch(/Delivered[\s\S]*Answer\s+200[\s\S]*\d+ ms/);
    expect(idsOf("webhook.test")).toHaveLength(1);

    await dashboard.client().projects.create({ name: "Hooked" });
    const row = page.getByRole("row", { name: /project.created.*Delivered.*1.*200/ });
    await row.waitFor();
    await expectAccessible(page);
    await row.getByRole("button", { name: "project.created" }).click();
    const details = page.getByRole("dialog", { name: "project.created" });
    await details.getByText("thanks").waitFor();
    const [event = ""] = idsOf("project.created");
    await details.getByText(event).waitFor();
    await expectAccessible(page);
    await details.getByRole("button", { name: "Replay this event" }).click();
    await details.waitFor({ state: "hidden" });
    await expect.poll(() => idsOf("project.created"), { timeout: 30_000 }).toEqual([event, event]);

    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Failed" }).click();
    await page.getByText("Nothing matches the filters.").waitFor();
    await page.getByRole("button", { name: "Replay since…" }).click();
    // A day before, in every time zone of the browser.
    await page.getByLabel("Since").fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 16));
    await page.getByRole("button", { name: "Replay the events" }).click();
    await expect.poll(() => idsOf("project.created"), { timeout: 30_000 }).toEqual([event, event, event]);

    await page.getByRole("button", { name: "Rotate secret" }).click();
    const former = secret;
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await shown.getByText(/Until .*, deliveries are also signed with the old secret/).waitFor();
    await readSecret();
    expect(secret).not.toBe(former);

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Description").fill("Staging");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Staging").waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Disable the webhook" }).click();
    await page.getByText("You disabled it.").waitFor();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Enable the webhook" }).click();
    await page.getByText("You disabled it.").waitFor({ state: "detached" });

    await page.getByRole("link", { name: "← Webhooks" }).click();
    await page.getByRole("row", { name: /hooks.*Staging.*Enabled/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: `http://${host}/hooks` }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByLabel(`Type ${host} to confirm`).fill(host);
    await page.getByRole("button", { name: "Delete the webhook" }).click();
    await page.getByText("No webhooks yet").waitFor();
  });
});
