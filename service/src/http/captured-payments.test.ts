import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../test/campaign.ts";
import { PREFIX, type SignOptions, useHarness } from "../../test/harness.ts";
import { type Payer, seedPayer } from "../../test/payments/pay.ts";
import { fundWallet, randomAddress } from "../../test/wallets/seed-wallet.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";

const SEND = "/payments/send";
const PAYERS = isCampaign ? 10 : 2;
const CAPTURES_EACH = Math.ceil(repetitions(10) / PAYERS);
const AMOUNT_BASE_UNITS = 5_000_000n;
/** What a payer needs for its captured payments and those that the test sends afterwards. */
const FUNDS_BASE_UNITS = BigInt(CAPTURES_EACH) * 10n * AMOUNT_BASE_UNITS;
const ALLOW = { id: "allow", effect: "allow", operation: "payment" };

/** A signed payment that an attacker has captured. */
interface Captured {
  readonly path: string;
  readonly payload: string;
  readonly signed: Required<Pick<SignOptions, "timestamp" | "nonce" | "signature" | "signedPath">>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The expected status: of the first response, which is sent again, or another. */
type Expected = "first" | number;

/** What an attacker can change without the secret. */
const FORMS: readonly {
  readonly name: string;
  readonly change: (captured: Captured) => Captured;
  readonly expected: Expected;
}[] = [
  // The client's own retry: the stored response, and no other effect.
  { name: "a new nonce", change: withNewNonce, expected: "first" },
  {
    name: "another Idempotency-Key",
    change: (captured) => withHeaders(captured, { "idempotency-key": randomUUID() }),
    expected: 409,
  },
  {
    name: "no Idempotency-Key",
    change: (captured) => withNewNonce({ ...captured, headers: without(captured.headers) }),
    expected: 409,
  },
  {
    name: "another X-Agent-ID",
    change: (captured) => withHeaders(captured, { "x-agent-id": randomUUID() }),
    expected: 422,
  },
  {
    name: "a query",
    // The signature can cover the path without its query. The route takes no parameters.
    change: (captured) => withNewNonce({ ...captured, path: `${captured.path}?simulate=false` }),
    expected: 422,
  },
  {
    name: "names of headers and the Idempotency-Key in capitals",
    change: (captured) => withNewNonce({ ...captured, headers: inCapitals(captured.headers) }),
    expected: "first",
  },
  {
    name: "the signature in capitals",
    change: (captured) => withNewNonce(withSignatureInCapitals(captured)),
    expected: 401,
  },
  {
    name: "the same JSON in other bytes",
    change: (captured) => withNewNonce({ ...captured, payload: JSON.stringify(JSON.parse(captured.payload), null, 1) }),
    expected: 401,
  },
  {
    name: "another timestamp",
    change: (captured) => withNewNonce(signedAt(captured, Number(captured.signed.timestamp) + 1)),
    expected: 401,
  },
  {
    name: "the path in another form",
    change: (captured) => withNewNonce({ ...captured, path: "/payments/%73end" }),
    expected: 404,
  },
  {
    name: "the path of the simulation",
    change: (captured) => withNewNonce({ ...captured, path: "/payments/simulate" }),
    expected: 401,
  },
  { name: "nothing", change: (captured) => captured, expected: 401 },
];

describe("a captured payment under REPLAY_GUARD=money", () => {
  const harness = useHarness({
    settings: { failuresPerMinute: 1_000_000 },
    environment: { PURSER_KEY_BURST: "10000000" },
  });

  it(
    "no second effect: sent again with everything changed that the signature does not cover",
    async () => {
      const captures = await capturesOf(FUNDS_BASE_UNITS);
      expect(await sendAll(captures, (captured) => captured)).toEqual([200]);
      const paid = await written(captures);
      expect(paid).toMatchObject({ payments: captures.length, transfers: captures.length });

      const outcomes = await attack(captures);

      expect(outcomes).toEqual(expectedWhenFirst(200));
      expect(await written(captures)).toEqual(paid);
    },
    testMaxMs(60_000),
  );

  it(
    "402 or 4xx after the wallet was funded: the first response was 402",
    async () => {
      const captures = await capturesOf(0n);
      expect(await sendAll(captures, (captured) => captured)).toEqual([402]);
      const funders = new Set(captures.map(({ payer }) => payer));
      for (const { tenant, walletId } of funders) {
        const wallet = { tenantId: tenant.tenantId, walletId, baseUnits: FUNDS_BASE_UNITS };
        await fundWallet(harness.app, wallet);
      }
      const refused = await written(captures);
      expect(refused).toMatchObject({ payments: 0, transfers: 0 });

      const outcomes = await attack(captures);

      expect(outcomes).toEqual(expectedWhenFirst(402));
      expect(await written(captures)).toEqual(refused);
      for (const payer of funders) expect((await payer.pay()).status).toBe(200);
    },
    testMaxMs(60_000),
  );

  it("one payment and the first response: 20 retries with the same Idempotency-Key, each signed anew", async () => {
    const payer = await seedPayer(harness);
    const [to, headers] = [randomAddress(), { "idempotency-key": randomUUID() }];
    const nowSeconds = Math.floor(harness.clock.now().getTime() / 1_000);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => payer.pay({ to }, { headers, timestamp: String(nowSeconds - number) })),
    );

    expect((await payer.balance()).total).toBe(995_000_000n);
    const paid = answers.filter(({ status }) => status === 200);
    expect(new Set(paid.map(({ text }) => text)).size).toBe(1);
    // A retry that waits longer than a second for the first request is 409.
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  });

  it("200 both times: two equal GET requests in one second", async () => {
    const payer = await seedPayer(harness);
    const { body } = await payer.pay();
    const paths = ["/payments", `/payments/${body.payment_id}`];

    for (const path of [...paths, ...paths]) {
      expect([path, (await payer.tenant.get(path)).status]).toEqual([path, 200]);
    }
  });

  /** Sends each captured payment in each form. Returns the distinct statuses of each form. */
  async function attack(captures: readonly Capture[]) {
    const outcomes = [];
    for (const { name, change } of FORMS) {
      outcomes.push([name, ...(await sendAll(captures, change))]);
    }
    return outcomes;
  }

  interface Capture {
    readonly payer: Payer;
    readonly captured: Captured;
  }

  async function capturesOf(baseUnits: bigint): Promise<readonly Capture[]> {
    const payers = await Promise.all(
      Array.from({ length: PAYERS }, () => seedPayer(harness, { baseUnits, rules: [ALLOW] })),
    );
    return payers.flatMap((payer) =>
      Array.from({ length: CAPTURES_EACH }, () => ({ payer, captured: capture(payer) })),
    );
  }

  function capture({ tenant, agentId }: Payer): Captured {
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1_000));
    const payload = JSON.stringify({ agent_id: agentId, amount: "5.00", to: randomAddress() });
    const signedPath = PREFIX + SEND;
    const parts = { timestamp, method: "POST", path: signedPath, bodyHash: sha256Hex(payload) };
    const signature = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");
    return {
      path: SEND,
      payload,
      signed: { timestamp, nonce: randomUUID(), signature, signedPath },
      headers: { "idempotency-key": randomUUID(), "x-agent-id": agentId },
    };
  }

  /** Returns the distinct response statuses. */
  async function sendAll(captures: readonly Capture[], change: (captured: Captured) => Captured): Promise<number[]> {
    const statuses = new Set<number>();
    for (const { payer, captured } of captures) {
      const { path, payload, signed, headers } = change(captured);
      const response = await payer.tenant.sendRaw("POST", path, payload, { ...signed, headers });
      statuses.add(response.status);
    }
    return [...statuses];
  }

  /** Counts what the payers' requests have written. */
  async function written(captures: readonly Capture[]) {
    const tenantIds = [...new Set(captures.map(({ payer }) => payer.tenant.tenantId))];
    const { rows } = await sql<Record<string, number>>`
      select
        (select count(*)::integer from payments where tenant_id = any(${tenantIds})) as payments,
        (select count(*)::integer from ledger_transfers where tenant_id = any(${tenantIds})
          and cause_type = 'payment') as transfers,
        (select count(*)::integer from budget_reservations where tenant_id = any(${tenantIds})) as reservations,
        (select count(*)::integer from audit_entries where tenant_id = any(${tenantIds})
          and action like 'payment.%') as entries,
        (select count(*)::integer from events where tenant_id = any(${tenantIds}) and type like 'payment.%') as events,
        (select sum(posted)::text from ledger_accounts where tenant_id = any(${tenantIds}) and kind = 'wallet') as money
    `.execute(harness.app.db);
    return rows[0];
  }
});

function expectedWhenFirst(first: number) {
  return FORMS.map(({ name, expected }) => [name, expected === "first" ? first : expected]);
}

function withNewNonce(captured: Captured): Captured {
  return { ...captured, signed: { ...captured.signed, nonce: randomUUID() } };
}

function withHeaders(captured: Captured, headers: Readonly<Record<string, string>>): Captured {
  return withNewNonce({ ...captured, headers: { ...captured.headers, ...headers } });
}

function without({ "idempotency-key": _key, ...headers }: Captured["headers"]) {
  return headers;
}

function signedAt(captured: Captured, seconds: number): Captured {
  return { ...captured, signed: { ...captured.signed, timestamp: String(seconds) } };
}

function inCapitals(headers: Captured["headers"]): Captured["headers"] {
  const { "idempotency-key": key = "", "x-agent-id": agentId = "" } = headers;
  return { "IDEMPOTENCY-KEY": key.toUpperCase(), "X-AGENT-ID": agentId };
}

function withSignatureInCapitals({ signed, ...captured }: Captured): Captured {
  return { ...captured, signed: { ...signed, signature: signed.signature.toUpperCase() } };
}
