import { describe, expect, it } from "vitest";
import type { TenantId } from "../../service/src/foundation/ids.ts";
import { pasteFormPage } from "../../service/src/http/routes/pages/connect.ts";
import { approvalPathOf, seedApproval } from "../../service/test/approvals/seed-approval.ts";
import { useHarness } from "../../service/test/harness.ts";
import { useChromium } from "./browser/chromium.ts";
import { expectAccessible } from "./dashboard/use-dashboard.ts";

const PASTE_FORM = {
  ...{ tenantId: "dev_1" as TenantId, projectName: "Shop", providerName: "Neon", once: "once" },
  ...{ tokenPageUrl: "https://neon.test/tokens", sandboxToken: "sandbox-ada" },
};

describe("the service's pages in a browser", () => {
  // The reference needs scripts. A test of the service checks its policy.
  const chromium = useChromium(() => "http://service.invalid");
  const harness = useHarness();

  it.skipIf(chromium.missing)(
    "the paste form, an approval, an error and the API reference: accessible, and ask no other host",
    { timeout: 120_000 },
    async () => {
      const origin = await harness.server.listen({ host: "127.0.0.1", port: 0 });
      const { page } = await chromium.newSession();
      const hosts = new Set<string>();
      page.on("request", (request) => hosts.add(new URL(request.url()).host));

      await page.setContent(pasteFormPage(PASTE_FORM, "ada@example.com", "Paste another token."));
      await expectAccessible(page);
      const tenantId = await harness.seedDeveloper();
      await seedApproval(harness.app, tenantId);
      for (const path of [await approvalPathOf(harness, tenantId), "/errors/insufficient_funds"]) {
        await page.goto(origin + path);
        await expectAccessible(page);
      }
      await page.getByRole("link", { name: "API reference" }).click();
      await page.getByRole("heading", { name: "Errors" }).waitFor();
      await page.getByText("application/problem+json", { exact: true }).first().waitFor();

      await page.goto(`${origin}/docs/reference#tag/approvals/POST/api/v1/svc/approvals/{approval_id}/approve`);
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
