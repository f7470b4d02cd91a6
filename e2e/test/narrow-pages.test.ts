import { STYLESHEET } from "@purser/simulators/kit/page-assets.ts";
import { messagePage } from "@purser/simulators/mailbox/pages.ts";
import { buildControlServer } from "@purser/simulators/sandbox/control-server.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleVendor } from "../../simulators/test/example-vendor.ts";
import { startTestVendor } from "../../simulators/test/start-test-vendor.ts";
import { useChromium } from "./browser/chromium.ts";
import { expectAccessible } from "./dashboard/use-dashboard.ts";

const PHONE = { width: 390, height: 844 };
const VENDORS = Array.from({ length: 8 }, (_, index) => `vendor-${index}`);

describe("pages on the screen of a phone", () => {
  // These pages are not the service's, so their policies may allow scripts.
  const chromium = useChromium(() => "http://service.invalid");

  async function open(): Promise<Page> {
    const { page } = await chromium.newSession();
    await page.setViewportSize(PHONE);
    return page;
  }

  const sizeOf = (page: Page) =>
    page.evaluate<{ readonly width: number; readonly height: number }>(
      "({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight })",
    );

  it.skipIf(chromium.missing)("the buttons of an email are not cut", async () => {
    const { markup } = messagePage({
      ...{ id: "msg_1", recipient: "ada@example.test", sender: "Purser", subject: "Verify" },
      ...{ text: "Verify", html: null, receivedAt: new Date() },
      links: [
        `http://127.0.0.1:45711/api/v1/svc/developers/verify-email?token=${"x".repeat(43)}`,
        `https://${"long-name.".repeat(6)}example/${"path".repeat(30)}`,
      ],
    });
    const page = await open();

    await page.setContent(markup.replace(/<link [^>]*>/, `<style>${STYLESHEET}</style>`));

    expect((await sizeOf(page)).width).toBe(PHONE.width);
    await expectAccessible(page);
  });

  describe("the sandbox", () => {
    let vendors: Awaited<ReturnType<typeof startTestVendor>>[] = [];
    let url = "";
    let server: ReturnType<typeof buildControlServer>;

    beforeAll(async () => {
      vendors = await Promise.all(
        VENDORS.map((vendor) => startTestVendor(exampleVendor({ vendor, displayName: vendor }), { contract: null })),
      );
      server = buildControlServer(vendors);
      url = await server.listen({ host: "127.0.0.1", port: 0 });
    });
    afterAll(async () => {
      await server.close();
      await Promise.all(vendors.map((vendor) => vendor.close()));
    });

    it.skipIf(chromium.missing)("folds its vendors, and unfolds the one in the URL", async () => {
      const page = await open();
      const isOpen = (vendor: string) => page.locator(`#${vendor}`).isVisible();

      await page.goto(url);
      const folded = await sizeOf(page);
      await page.goto(`${url}/#vendor-7`);

      expect(folded.width).toBe(PHONE.width);
      expect(folded.height).toBeLessThan(1_000);
      await expect.poll(() => isOpen("vendor-7")).toBe(true);
      expect(await isOpen("vendor-0")).toBe(false);
      await page.getByRole("link", { name: "vendor-0" }).click();
      await expect.poll(() => isOpen("vendor-0")).toBe(true);
      await expectAccessible(page);
    });
  });
});
