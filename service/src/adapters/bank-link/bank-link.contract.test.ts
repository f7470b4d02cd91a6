import { inspect } from "node:util";
import { plaidSimulator } from "@purser/simulators/plaid/plaid-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { answering, startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { BankLink } from "../../ports/bank-link.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createPlaidBankLink } from "./plaid-bank-link.ts";

/** All `BankLink` adapters. A new adapter needs a function that returns its `Subject`. */
const ADAPTERS = [{ name: "Plaid", start: startPlaid }] as const;

const CREDENTIALS = {
  clientId: "client-id-of-purser",
  secrets: { live: "secret-of-live-mode", test: "secret-of-test-mode" },
};
const LINK: Parameters<BankLink["createLinkToken"]>[0] = {
  ...{ clientUserId: "ten_1", language: "en", redirectUri: "https://app.example/return" },
  ...{ webhookUrl: "https://purser.example/webhooks", accessToken: null },
  accountSubtypes: ["checking", "savings"],
  verificationMethod: "instant",
};

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  readonly open: (url: string, timeoutMs: number, mode?: Mode) => BankLink;
  /** Does what a user does in the browser. */
  readonly visit: (linkToken: string, form: Readonly<Record<string, string>>) => Promise<void>;
  /** Ends the login at the bank. */
  readonly expireLogin: (accessToken: string) => Promise<void>;
  /** Advances the vendor's clock. */
  readonly passTime: (milliseconds: number) => void;
}

async function startPlaid(): Promise<Subject> {
  let nowMs = Date.now();
  const vendor = await startTestVendor(plaidSimulator({ credentials: CREDENTIALS }), { now: () => new Date(nowMs) });
  const { clientId, secrets } = CREDENTIALS;
  const post = async (path: string, init: RequestInit) => {
    expect((await fetch(`${vendor.url}${path}`, { method: "POST", ...init })).status).toBe(200);
  };
  return {
    vendor,
    open: (apiUrl, timeoutMs, mode = "test") =>
      createPlaidBankLink({ clientId, secret: secrets[mode], apiUrl, timeoutMs }),
    visit: (token, form) => post(`/link?token=${token}`, { body: new URLSearchParams(form) }),
    expireLogin: (accessToken) =>
      post("/sandbox/item/reset_login", {
        headers: { "content-type": "application/json", "plaid-client-id": clientId, "plaid-secret": secrets.test },
        body: JSON.stringify({ access_token: accessToken }),
      }),
    passTime: (milliseconds) => {
      nowMs += milliseconds;
    },
  };
}

/** For each call, the expected failure if the vendor does not respond. No call is repeated. */
const CALLS = [
  { call: "createLinkToken", failureWithoutResponse: "unknown" },
  { call: "readLinkToken", failureWithoutResponse: "unavailable" },
  { call: "exchangePublicToken", failureWithoutResponse: "unknown" },
  { call: "readAccount", failureWithoutResponse: "unavailable" },
  { call: "readOwner", failureWithoutResponse: "unavailable" },
  { call: "matchOwnerName", failureWithoutResponse: "unavailable" },
  { call: "readItem", failureWithoutResponse: "unavailable" },
  { call: "removeItem", failureWithoutResponse: "unknown" },
] as const;

describe.each(ADAPTERS)("bank link $name", ({ start }) => {
  let subject: Subject;
  let banks: BankLink;
  beforeAll(async () => {
    subject = await start();
    banks = subject.open(subject.vendor.url, 5_000);
  });
  afterAll(() => subject.vendor.close());
  afterEach(() => {
    expect(subject.vendor.requests.counts().invalid).toBe(0);
  });

  /** Links the accounts of a user, and returns the first of them. */
  async function linkUser(form: Readonly<Record<string, string>>, changes: Partial<typeof LINK> = {}) {
    const { linkToken } = await banks.createLinkToken({ ...LINK, ...changes });
    await subject.visit(linkToken, form);
    const [linked] = await banks.readLinkToken(linkToken);
    const { publicToken = "", accountIds: [accountId = ""] = [] } = linked ?? {};
    const { accessToken, itemId } = await banks.exchangePublicToken(publicToken);
    return { accessToken, accountId, itemId, publicToken };
  }

  it("a link token is for four hours, and shows what the user linked once the user has finished", async () => {
    const { linkToken, expiresAt } = await banks.createLinkToken({ ...LINK, accountSubtypes: ["savings"] });
    expect(expiresAt).toEqual(new Date(subject.vendor.context.now().getTime() + 4 * 3_600_000));
    expect(await banks.readLinkToken(linkToken)).toEqual([]);

    await subject.visit(linkToken, { user: "good" });

    const linked = await banks.readLinkToken(linkToken);
    expect(linked).toMatchObject([
      { publicToken: expect.stringMatching(/^public-/), accountIds: [expect.any(String)] },
    ]);
  });

  it("the account of a user who logged in has numbers, an owner and a bank", async () => {
    const { accessToken, accountId } = await linkUser({ user: "good", owner_name: "Grace Hopper" });

    const account = await banks.readAccount({ accessToken, accountId });
    const { accountNumber = "", routingNumber } = account.numbers ?? {};
    expect(account).toMatchObject({ accountId, type: "depository", subtype: "checking", verificationStatus: null });
    expect(routingNumber).toBe("011401533");
    expect(account.mask).toBe(accountNumber.slice(-4));
    expect(await banks.readOwner({ accessToken, accountId })).toEqual({
      ...{ legalName: "Grace Hopper", email: "grace.hopper@example.com", phone: "+14155550100" },
      address: {
        ...{ line1: "1 Main Street", line2: null, city: "San Francisco", state: "CA" },
        ...{ postalCode: "94105", country: "US" },
      },
    });
    expect(await banks.readItem(accessToken)).toEqual({ institutionName: "First Platypus Bank", errorCode: null });
  });

  it.each([
    ["ada LOVELACE", "good", 100],
    ["Lovelace Ada", "good", 85],
    ["Ada Lovelace", "other_owner", 20],
  ])("the name %s matches the owner's of %s with %i", async (legalName, user, score) => {
    const { accessToken, accountId } = await linkUser({ user });

    expect(await banks.matchOwnerName({ accessToken, accountId, legalName })).toBe(score);
  });

  it("an account with micro-deposits has numbers once they have settled", async () => {
    const linked = await linkUser({ user: "micro_deposits" }, { verificationMethod: "micro_deposit" });
    expect(await banks.readAccount(linked)).toMatchObject({
      ...{ accountId: linked.accountId, subtype: "checking", verificationStatus: "pending", numbers: null },
    });

    subject.passTime(2_000);

    const verified = await banks.readAccount(linked);
    expect(verified).toMatchObject({ verificationStatus: "automatically_verified" });
    expect(verified.numbers).not.toBeNull();
  });

  it("refuses a public token that was used, is unknown or has expired", async () => {
    const { publicToken } = await linkUser({ user: "good" });
    const { linkToken } = await banks.createLinkToken(LINK);
    await subject.visit(linkToken, { user: "good" });
    const [unused] = await banks.readLinkToken(linkToken);
    subject.passTime(30 * 60_000);

    for (const token of [publicToken, "public-sandbox-none", unused?.publicToken ?? ""]) {
      const refusal = { failure: "refused", vendorCode: "INVALID_PUBLIC_TOKEN" };
      await expect(banks.exchangePublicToken(token)).rejects.toMatchObject(refusal);
    }
  });

  it("an expired login refuses its account until the user repairs it", async () => {
    const linked = await linkUser({ user: "good" });
    await subject.expireLogin(linked.accessToken);

    const refusal = { failure: "refused", vendorCode: "ITEM_LOGIN_REQUIRED" };
    await expect(banks.readAccount(linked)).rejects.toMatchObject(refusal);
    expect(await banks.readItem(linked.accessToken)).toMatchObject({ errorCode: "ITEM_LOGIN_REQUIRED" });

    const { linkToken } = await banks.createLinkToken({ ...LINK, accessToken: linked.accessToken });
    await subject.visit(linkToken, { user: "repair" });

    expect(await banks.readItem(linked.accessToken)).toMatchObject({ errorCode: null });
    expect(await banks.readAccount(linked)).toMatchObject({ accountId: linked.accountId });
  });

  it("removes a login, and succeeds if it was removed already", async () => {
    const linked = await linkUser({ user: "good" });

    await banks.removeItem(linked.accessToken);
    await banks.removeItem(linked.accessToken);

    await expect(banks.readAccount(linked)).rejects.toMatchObject({ failure: "not_found" });
  });

  it("not_found: an account of another login, and a login of the other mode", async () => {
    const [one, other] = [await linkUser({ user: "good" }), await linkUser({ user: "good" })];
    const mixed = banks.readAccount({ ...one, accountId: other.accountId });
    await expect(mixed).rejects.toMatchObject({ failure: "not_found" });

    const live = subject.open(subject.vendor.url, 5_000, "live");
    await expect(live.readAccount(one)).rejects.toMatchObject({ failure: "not_found" });
  });

  it("does not believe an answer about another link token or account", async () => {
    const account = { account_id: "other", name: "", mask: null, type: "depository", subtype: null };
    const url = await startMisbehavingVendor(
      answering({
        "POST /link/token/get": { link_token: "other", link_sessions: [] },
        "POST /auth/get": { accounts: [account], numbers: { ach: [] } },
      }),
    );
    const opened = subject.open(url, 5_000);

    await expect(opened.readLinkToken("link")).rejects.toMatchObject({ failure: "unavailable" });
    const read = opened.readAccount({ accessToken: "access", accountId: "asked" });
    await expect(read).rejects.toMatchObject({ failure: "not_found" });
  });

  it("a bank that does not tell who owns its accounts has an unknown owner", async () => {
    const error = JSON.stringify({ error_code: "PRODUCTS_NOT_SUPPORTED", error_message: "no" });
    const url = await startMisbehavingVendor((response) => response.writeHead(400).end(error));
    const [opened, account] = [subject.open(url, 5_000), { accessToken: "access", accountId: "asked" }];

    expect(await opened.readOwner(account)).toEqual({ legalName: null, email: null, phone: null, address: null });
    expect(await opened.matchOwnerName({ ...account, legalName: "Ada" })).toBeNull();
  });

  it.each([
    [400, "ITEM_LOGIN_REQUIRED", "refused"],
    [400, "INVALID_API_KEYS", "unauthorized"],
    [400, "INSTITUTION_DOWN", "unavailable"],
    [429, "RATE_LIMIT", "rate_limited"],
    [500, "INTERNAL_SERVER_ERROR", "unavailable"],
  ])("a read with the answer %i %s is %s", async (status, error_code, failure) => {
    const url = await startMisbehavingVendor((response) => {
      response.writeHead(status).end(JSON.stringify({ error_type: "SOME_ERROR", error_code, error_message: "no" }));
    });

    const read = subject.open(url, 5_000).readItem("access");

    await expect(read).rejects.toMatchObject({ failure, vendorCode: error_code });
  });

  describe.each(CALLS)("$call", ({ call, failureWithoutResponse }) => {
    const account = { accessToken: "access-sandbox-secret", accountId: "account_1" };
    const legalName = "Grace Brewster Hopper";

    /** Returns the VendorError that the call throws. */
    async function failureOf(url: string, timeoutMs = 5_000): Promise<VendorError> {
      const opened = subject.open(url, timeoutMs);
      const calls: Readonly<Record<typeof call, () => Promise<unknown>>> = {
        createLinkToken: () => opened.createLinkToken({ ...LINK, accessToken: account.accessToken }),
        readLinkToken: () => opened.readLinkToken(account.accessToken),
        exchangePublicToken: () => opened.exchangePublicToken(account.accessToken),
        readAccount: () => opened.readAccount(account),
        readOwner: () => opened.readOwner(account),
        matchOwnerName: () => opened.matchOwnerName({ ...account, legalName }),
        readItem: () => opened.readItem(account.accessToken),
        removeItem: () => opened.removeItem(account.accessToken),
      };
      const thrown: unknown = await calls[call]().then(
        () => "nothing",
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(VendorError);
      return thrown as VendorError;
    }

    it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
      ["does not respond", () => {}],
      ["closes the connection", (response) => response.destroy()],
      ["sends half a response", (response) => response.writeHead(200).write('{"item":')],
      ["responds with 500", (response) => response.writeHead(500).end("{}")],
      ["responds with HTML", (response) => response.end("<html>All good</html>")],
      ["responds with an unexpected shape", (response) => response.end('{"item":7}')],
    ])(`${failureWithoutResponse}: the vendor %s`, async (_what, respond) => {
      expect((await failureOf(await startMisbehavingVendor(respond), 100)).failure).toBe(failureWithoutResponse);
    });

    it("unavailable: the connection is refused", async () => {
      expect((await failureOf(await unreachableUrl())).failure).toBe("unavailable");
    });

    it("makes one attempt, and the error contains no secret that the vendor echoes", async () => {
      const sent: string[] = [];
      const url = await startMisbehavingVendor((response, request) => {
        sent.push(request);
        const echo = `no: ${CREDENTIALS.secrets.test} ${account.accessToken} ${legalName}`;
        response.writeHead(400).end(JSON.stringify({ error_code: account.accessToken, error_message: echo }));
      });

      const error = await failureOf(url);

      expect(error.failure).toBe("refused");
      expect(sent).toHaveLength(1);
      const shown = inspect(error, { depth: 10 });
      for (const secret of [CREDENTIALS.secrets.test, account.accessToken]) expect(shown).not.toContain(secret);
      if (call === "matchOwnerName") expect(shown).not.toContain(legalName);
    });
  });
});
