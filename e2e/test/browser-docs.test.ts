import { expect, it } from "vitest";
import { useHarness } from "../../service/test/harness.ts";
import { useChromium } from "./browser/chromium.ts";
import { expectAccessible } from "./dashboard/use-dashboard.ts";

const harness = useHarness();
// The documents need scripts. A test of the service checks their policy.
const chromium = useChromium(() => "http://service.invalid");

it.skipIf(chromium.missing)(
  "the documents: accessible, with a search and tabs that stay chosen, and without errors or other hosts",
  { timeout: 120_000 },
  async () => {
    const origin = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const { page } = await chromium.newSession();
    const hosts = new Set<string>();
    const errors: string[] = [];
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    const shownTab = () => page.locator(".vp-code-group input:checked + label").first().textContent();

    await page.goto(`${origin}/docs`);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Quickstart" }).first().click();
    await page.waitForURL("**/docs/quickstart");
    await expectAccessible(page);
    expect(await shownTab()).toBe("curl");
    await page.locator(".vp-code-group label", { hasText: "Python" }).first().click();
    await page.reload();
    await expect.poll(shownTab).toBe("Python");

    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByPlaceholder("Search").fill("replay guard");
    await page.getByRole("option", { name: "Replay guard" }).first().click();
    await page.getByRole("heading", { name: "Replay guard" }).first().waitFor();
    await page.getByRole("switch").first().click();
    await page.getByRole("link", { name: "API reference" }).first().click();
    await page.waitForURL("**/docs/reference");
    await page.getByRole("link", { name: "Documents", exact: true }).click();
    await page.waitForURL("**/docs/");

    expect(errors).toEqual([]);
    expect([...hosts]).toEqual([new URL(origin).host]);
  },
);
