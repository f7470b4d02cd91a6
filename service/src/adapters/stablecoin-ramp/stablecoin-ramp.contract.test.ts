import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { bridgeSimulator } from "@purser/simulators/bridge/bridge-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { answering, startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import type { NewTransfer, StablecoinRamp } from "../../ports/stablecoin-ramp.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createBridgeRamp } from "./bridge-ramp.ts";

/** All `StablecoinRamp` adapters. A new adapter needs a function that returns its `Subject`. */
const ADAPTERS = [{ name: "Bridge", start: startBridge }] as const;

const API_KEY = "sk-test-sandbox";
const ADDRESS = `0x${"ab".repeat(20)}`;
const US = { line1: "1 Main St", line2: null, city: "Reno", state: "NV", postalCode: "89501", country: "US" };

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  readonly open: (url: string, timeoutMs?: number) => StablecoinRamp;
  /** Pays the dollars for which an on-ramp waits. */
  readonly deposit: (depositMessage: string, amount: string) => Promise<void>;
  /** Lets enough time pass for all states of a transfer. */
  readonly wait: () => void;
  /** The path of a transfer, and the vendor's description of it in this state. */
  readonly describe: (id: string, state: string) => readonly [path: string, body: object];
}

async function startBridge(): Promise<Subject> {
  let now = new Date("2026-11-24T10:00:00Z");
  const vendor = await startTestVendor(bridgeSimulator(), { now: () => now });
  const source = { payment_rail: "ach_push", currency: "usd" };
  const destination = { payment_rail: "base", currency: "usdc", to_address: ADDRESS };
  const more = { on_behalf_of: "cust_1", customer_id: "cust_1", amount: "10.00", created_at: now.toISOString() };
  return {
    vendor,
    open: (url, timeoutMs = 5_000) =>
      createBridgeRamp({ apiUrl: { live: "http://127.0.0.1:9", test: url }, timeoutMs })({
        ...{ mode: "test", apiKey: API_KEY },
      }),
    deposit: async (depositMessage, amount) => {
      const body = new URLSearchParams({ deposit_message: depositMessage, amount });
      expect((await fetch(`${vendor.url}/deposit`, { method: "POST", body })).status).toBe(200);
    },
    wait: () => {
      now = new Date(now.getTime() + 10_000);
    },
    describe: (id, state) => [
      `/v0/transfers/${id}`,
      { id, state, client_reference_id: "conv_1", ...more, source, destination },
    ],
  };
}

describe.each(ADAPTERS)("stablecoin ramp $name", ({ start }) => {
  let subject: Subject;
  let ramp: StablecoinRamp;
  beforeAll(async () => {
    subject = await start();
    ramp = subject.open(subject.vendor.url);
  });
  afterAll(() => subject.vendor.close());
  afterEach(() => {
    expect(subject.vendor.requests.counts().invalid).toBe(0);
  });

  const identify = (fullName: string, idempotencyKey: string = randomUUID()) =>
    ramp.createKycLink({ type: "individual", fullName, email: "ada@example.com", idempotencyKey });
  const newCustomer = async () => (await identify("Ada Lovelace")).customerId ?? "";
  const bankAccount = (customerId: string) => ({
    ...{ customerId, ownerName: "Ada Lovelace", bankName: "First Bank", subtype: "checking" as const },
    ...{ accountNumber: "9900000001", routingNumber: "021000021", address: US, idempotencyKey: randomUUID() },
  });
  const common = (customerId: string) => ({
    ...{ customerId, reference: `conv_${randomUUID()}`, amount: "100.00", developerFee: "0.15" },
    ...{ network: "base-sepolia" as const, idempotencyKey: randomUUID() },
  });
  const onRamp = (customerId: string): NewTransfer => ({
    ...common(customerId),
    ...{ direction: "on_ramp", paymentRail: "ach_push", toAddress: ADDRESS },
  });
  const offRamp = async (customerId: string, amount = "100.00"): Promise<NewTransfer> => ({
    ...common(customerId),
    ...{ direction: "off_ramp", paymentRail: "ach", fromAddress: ADDRESS, statementDescriptor: "PAYOUT 1", amount },
    externalAccountId: (await ramp.createExternalAccount(bankAccount(customerId))).externalAccountId,
  });

  it("reads what a dollar is worth", async () => {
    expect(await ramp.readRate("eur")).toEqual({ mid: "0.92", buy: "0.9154", sell: "0.9246" });
  });

  it.each([
    ["Ada Lovelace", "approved", true],
    ["Ada Under Review", "under_review", true],
    ["Ada Rejected", "rejected", true],
    ["Ada Hit Rejected", "approved", true],
    ["Ada Not Started", "not_started", false],
  ])("identifies %s as %s, with a customer from the start", async (fullName, kycStatus, hasAcceptedTerms) => {
    const link = await identify(fullName);

    expect(link).toMatchObject({ kycStatus, hasAcceptedTerms, customerId: expect.any(String) });
    expect(await ramp.readKycLink(link.kycLinkId)).toEqual(link);
  });

  it("makes one object for repeated calls with the same idempotency key", async () => {
    const key = randomUUID();
    expect(await identify("Ada", key)).toEqual(await identify("Ada", key));

    const customerId = await newCustomer();
    const account = bankAccount(customerId);
    expect(await ramp.createExternalAccount(account)).toEqual(await ramp.createExternalAccount(account));
    const transfer = onRamp(customerId);
    expect(await ramp.createTransfer(transfer)).toEqual(await ramp.createTransfer(transfer));
  });

  it("removes a bank account, also if it does not exist, and refuses one outside the United States", async () => {
    const customerId = await newCustomer();
    const { externalAccountId } = await ramp.createExternalAccount(bankAccount(customerId));

    await ramp.removeExternalAccount({ customerId, externalAccountId });
    await ramp.removeExternalAccount({ customerId, externalAccountId });

    const abroad = { ...bankAccount(customerId), address: { ...US, country: "CA" } };
    await expect(ramp.createExternalAccount(abroad)).rejects.toMatchObject({ failure: "refused" });
  });

  it("on-ramp: says where to pay, waits, and pays out the amount without the fee", async () => {
    const transfer = onRamp(await newCustomer());
    const { reference, customerId } = transfer;

    const created = await ramp.createTransfer(transfer);

    const { transferId, depositInstructions } = created;
    const message = depositInstructions?.depositMessage ?? "";
    expect(created).toMatchObject({ reference, customerId, state: "awaiting_funds", amount: "100.00" });
    expect(created.source).toMatchObject({ paymentRail: "ach_push", currency: "usd" });
    expect(created.destination).toMatchObject({ paymentRail: "base", currency: "usdc", address: ADDRESS });
    expect(created.receipt).toEqual({ finalAmount: "99.85", destinationTxHash: null, refundedAmount: null });
    expect(depositInstructions).toMatchObject({ bankName: "Sandbox Bank", routingNumber: "101019644" });
    expect(message).toMatch(/^BRG/);
    await subject.deposit(message, "100.00");
    expect(await ramp.readTransfer(transferId)).toMatchObject({ state: "funds_received" });
    await expect(ramp.deleteTransfer(transferId)).rejects.toMatchObject({ failure: "refused" });
    subject.wait();
    const receipt = { finalAmount: "99.85", destinationTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) };
    expect(await ramp.readTransfer(transferId)).toMatchObject({ state: "payment_processed", receipt });
  });

  it("off-ramp: says where to send the tokens, and pays out", async () => {
    const created = await ramp.createTransfer(await offRamp(await newCustomer()));
    subject.wait();

    expect(created.depositInstructions?.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(created.source).toMatchObject({ paymentRail: "base", address: ADDRESS });
    const paid = { state: "payment_processed", trace: { achTraceNumber: expect.any(String), imad: null } };
    expect(await ramp.readTransfer(created.transferId)).toMatchObject(paid);
  });

  it("off-ramp: shows what a returned payment refunded, and why", async () => {
    const { transferId } = await ramp.createTransfer(await offRamp(await newCustomer(), "50.13"));
    subject.wait();

    const returned = { state: "refunded", receipt: { refundedAmount: "50.13" }, returnReason: "The account is closed" };
    expect(await ramp.readTransfer(transferId)).toMatchObject(returned);
  });

  it("deletes a transfer that waits for money, and succeeds if there is none", async () => {
    const { transferId } = await ramp.createTransfer(onRamp(await newCustomer()));

    await ramp.deleteTransfer(transferId);
    await ramp.deleteTransfer(randomUUID());

    expect(await ramp.readTransfer(transferId)).toMatchObject({ state: "canceled" });
  });

  it("lists more than a page of a customer's transfers, but none from before the time", async () => {
    const customerId = await newCustomer();
    await ramp.createTransfer(onRamp(customerId));
    subject.wait();
    const since = subject.vendor.context.now();
    const made = new Set<string | null>();
    for (let count = 0; count < 101; count++) made.add((await ramp.createTransfer(onRamp(customerId))).reference);

    const found = await ramp.listTransfers({ customerId, since });

    expect(new Set(found.map(({ reference }) => reference))).toEqual(made);
  });

  it("a state that is not known is unknown", async () => {
    const [path, body] = subject.describe("tr_1", "waiting_for_godot");
    const url = await startMisbehavingVendor(answering({ [`GET ${path}`]: body }));

    expect(await subject.open(url).readTransfer("tr_1")).toMatchObject({ state: "unknown" });
  });

  it("does not believe an answer about another transfer or customer", async () => {
    const [, body] = subject.describe("tr_1", "awaiting_funds");
    const paths = ["GET /v0/transfers/tr_2", "POST /v0/customers/cust_2/external_accounts"];
    const url = await startMisbehavingVendor(answering(Object.fromEntries(paths.map((path) => [path, body]))));
    const lied = subject.open(url);

    await expect(lied.readTransfer("tr_2")).rejects.toMatchObject({ failure: "unknown" });
    await expect(lied.createExternalAccount(bankAccount("cust_2"))).rejects.toMatchObject({ failure: "unknown" });
  });

  const PERSON = { type: "individual", fullName: "Ada Lovelace", email: "ada@example.com" } as const;

  /** Calls with the expected failure if the vendor does not respond, and the secrets that each sends. */
  const CALLS: readonly {
    readonly name: keyof StablecoinRamp;
    readonly failure: VendorError["failure"];
    readonly call: (opened: StablecoinRamp) => Promise<unknown>;
    readonly secrets?: readonly string[];
  }[] = [
    { name: "readRate", failure: "unavailable", call: (opened) => opened.readRate("mxn") },
    { name: "readKycLink", failure: "unavailable", call: (opened) => opened.readKycLink("kyc_1") },
    { name: "readTransfer", failure: "unavailable", call: (opened) => opened.readTransfer("tr_1") },
    {
      ...{ name: "listTransfers", failure: "unavailable" },
      call: (opened) => opened.listTransfers({ customerId: "cust_1", since: new Date(0) }),
    },
    { name: "deleteTransfer", failure: "unknown", call: (opened) => opened.deleteTransfer("tr_1") },
    { name: "createTransfer", failure: "unknown", call: (opened) => opened.createTransfer(onRamp("cust_1")) },
    {
      ...{ name: "createExternalAccount", failure: "unknown" },
      call: (opened) => opened.createExternalAccount(bankAccount("cust_1")),
      secrets: ["Ada Lovelace", "9900000001", "021000021", "1 Main St"],
    },
    {
      ...{ name: "removeExternalAccount", failure: "unknown" },
      call: (opened) => opened.removeExternalAccount({ customerId: "cust_1", externalAccountId: "ea_1" }),
    },
    {
      ...{ name: "createKycLink", failure: "unknown" },
      call: (opened) => opened.createKycLink({ ...PERSON, idempotencyKey: randomUUID() }),
      secrets: ["Ada Lovelace", "ada@example.com"],
    },
  ];

  describe.each(CALLS)("$name", ({ failure, call, secrets = [] }) => {
    /** Returns the VendorError that the call throws. */
    async function errorFrom(url: string, timeoutMs?: number): Promise<VendorError> {
      const thrown = await call(subject.open(url, timeoutMs)).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(VendorError);
      return thrown as VendorError;
    }

    it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
      ["does not respond", () => {}],
      ["sends half a response", (response) => response.writeHead(200).write('{"id":')],
      ["responds with 500", (response) => response.writeHead(500).end("{}")],
    ])(`${failure}: the vendor %s`, async (_what, respond) => {
      expect((await errorFrom(await startMisbehavingVendor(respond), 100)).failure).toBe(failure);
    });

    it("unavailable: the connection is refused", async () => {
      expect((await errorFrom(await unreachableUrl())).failure).toBe("unavailable");
    });

    it("errors do not contain what the vendor echoes of the API key, the person and the bank account", async () => {
      const sent = [API_KEY, ...secrets];
      const url = await startMisbehavingVendor((response) => {
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ code: API_KEY, message: `not valid: ${sent.join(" ")}` }));
      });

      const error = await errorFrom(url);

      expect(error.vendorMessage).toContain("not valid");
      const text = inspect(error, { depth: 10 });
      for (const secret of sent) expect(text).not.toContain(secret);
    });
  });
});
