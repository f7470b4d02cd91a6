import { describe, expect, it } from "vitest";
import { useHarness } from "../../service/test/harness.ts";
import { useChromium } from "./browser/chromium.ts";
import { expectAccessible } from "./dashboard/use-dashboard.ts";

describe("the API reference in a browser", () => {
  // The reference needs scripts. A test of the service checks its policy.
  const chromium = useChromium(() => "http://service.invalid");
  const harness = useHarness();

  it.skipIf(chromium.missing)(
    "shows the errors and an operation, and asks no other host",
    { timeout: 120_000 },
    async () => {
      const origin = await harness.server.listen({ host: "127.0.0.1", port: 0 });
      const { page } = await chromium.newSession();
      const hosts = new Set<string>();
      page.on("request", (request) => hosts.add(new URL(request.url()).host));

      await page.goto(`${origin}/errors/insufficient_funds`);
      await expectAccessible(page);
      await page.getByRole("link", { name: "API reference" }).click();
      await page.getByRole("heading", { name: "Errors" }).waitFor();
      await page.getByText("application/problem+json", { exact: true }).first().waitFor();

      await page.goto(`${origin}/docs#tag/approvals/POST/api/v1/svc/approvals/{approval_id}/approve`);
      await page.reload();
      await page.getByRole("heading", { name: "Approve a request" }).waitFor();
      await page.getByText("purser.approvals.approve", { exact: false }).first().waitFor();
      // Scalar cannot sign requests.
      expect(await page.getByRole("button", { name: "Test Request" }).count()).toBe(0);
      expect(await page.locator("form:visible").count()).toBe(0);

      expect([...hosts]).toEqual([new URL(origin).host]);
    },
  );
});
