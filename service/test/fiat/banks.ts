import { runDueWork } from "../../src/due-work/run-due-work.ts";
import { advanceFiatAccounts } from "../../src/modules/fiat/advance-account.ts";
import { type PiiOwner, readBankRecord } from "../../src/pii/bank-records.ts";
import type { useHarness } from "../harness.ts";

type Harness = ReturnType<typeof useHarness>;
type Tenant = Awaited<ReturnType<Harness["seedTenant"]>>;

export const HOLDER = {
  legal_name: "Ada Lovelace",
  email: "ada@bank.example",
  address: { line1: "12 Byron Street", city: "London", state: "KY", postal_code: "40741", country: "US" },
};

interface Visit {
  /** What the user chooses on the page that replaces Plaid Link. */
  readonly user?: "good" | "other_owner" | "micro_deposits";
  readonly ownerName?: string;
  /** Fields of link-account. */
  readonly link?: object;
}

/** Helpers that link bank accounts at the simulated Plaid. The harness must have the option `vendors`. */
export function banksOf(harness: Harness) {
  /** Submits the form of the page that replaces Plaid Link, as a user does in a browser. */
  async function visit(linkToken: string, fields: Readonly<Record<string, string>>) {
    const page = await fetch(`${harness.sandbox.plaid.url}/link?token=${linkToken}`, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    const [publicToken = "", ...accountIds] = [...(await page.text()).matchAll(/<code>([^<]+)<\/code>/g)].map(
      ([, value = ""]) => value,
    );
    return { status: page.status, publicToken, accountIds };
  }

  /** Creates a link and lets a user choose its accounts. Returns what the browser got. */
  async function connect(tenant: Tenant, { user = "good", ownerName = "", link = {} }: Visit = {}) {
    const { status, body } = await tenant.post("/fiat/link-account", link);
    if (status !== 200) throw new Error(`link-account: ${status} ${JSON.stringify(body)}`);
    return visit(body.link_token, { user, owner_name: ownerName });
  }

  /** Links a bank account. */
  async function linkBank(tenant: Tenant, visited: Visit = {}, holder: object = HOLDER) {
    const { publicToken, accountIds } = await connect(tenant, visited);
    const body = { public_token: publicToken, account_id: accountIds[0], account_holder: holder };
    return tenant.post("/fiat/verify-account", body);
  }

  /** Runs the job that asks the vendors about accounts. */
  const advance = () => runDueWork(harness.app, advanceFiatAccounts);

  /** Makes the bank ask for a new login, by Plaid's own call for its sandbox. */
  async function expireLogin(owner: PiiOwner, accountId: string) {
    const record = await readBankRecord(harness.app, owner, accountId);
    const { PLAID_CLIENT_ID: clientId = "", PLAID_TEST_SECRET: secret = "" } = harness.sandbox.plaid.environment;
    await fetch(`${harness.sandbox.plaid.url}/sandbox/item/reset_login`, {
      method: "POST",
      headers: { "content-type": "application/json", "plaid-client-id": clientId, "plaid-secret": secret },
      body: JSON.stringify({ access_token: record?.accessToken }),
    });
  }

  return { visit, connect, linkBank, advance, expireLogin };
}
