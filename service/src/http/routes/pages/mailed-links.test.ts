import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { approvalPathOf, seedApproval } from "../../../../test/approvals/seed-approval.ts";
import { newBrowser } from "../../../../test/browser.ts";
import { useHarness } from "../../../../test/harness.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { enqueueTokenEmail } from "../../../modules/developers/enqueue-emails.ts";
import { openVault } from "../../../vault/vault.ts";

describe("a URL in an email", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function linkOf(email: string): Promise<string> {
    await harness.deliverMails();
    const mail = harness.mails.findLast(({ to }) => to === email);
    return /http:\/\/purser\.test(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  }

  const arrangements = {
    verify_email: async () => {
      const email = accounts.newEmail();
      await accounts.signUp(email);
      return linkOf(email);
    },
    reset_password: async () => {
      const { email } = await accounts.seedAccount();
      await accounts.call("POST", "/password/forgot", { email });
      return linkOf(email);
    },
    revoke_keys: async () => {
      const tenantId = await harness.seedDeveloper();
      await harness.seedKey(tenantId);
      const vault = await openVault(harness.app, tenantId);
      const email = accounts.newEmail();
      const at = harness.clock.now();
      const expiresAt = new Date(at.getTime() + 60_000);
      await withTransaction(harness.app.db, tenantId, (tx) =>
        enqueueTokenEmail(tx, vault, { tenantId, email, purpose: "revoke_keys", expiresAt, at }),
      );
      return linkOf(email);
    },
    approval_requested: async () => {
      const tenantId = await harness.seedDeveloper();
      await seedApproval(harness.app, tenantId);
      return approvalPathOf(harness, tenantId);
    },
  };

  it.each(Object.entries(arrangements))(
    "%s: opening it and following its redirects changes nothing",
    async (_template, arrange) => {
      const link = await arrange();
      const before = await accounts.everyRow();

      const scanner = newBrowser(harness);
      const opened = await scanner.open(link);
      const page = opened.status === 303 ? await scanner.open(String(opened.headers["location"])) : opened;

      expect(link).not.toBe("");
      expect(page.status).toBe(200);
      expect(await accounts.everyRow()).toBe(before);
    },
  );
});
