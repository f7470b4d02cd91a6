import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { isCampaign, repetitions, testMaxMs } from "../../test/campaign.ts";
import { PREFIX, type SignOptions, useHarness } from "../../test/harness.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";

const KEYS = "/developers/me/keys";
const TENANTS = isCampaign ? 10 : 3;
const REQUESTS_EACH = repetitions(5);

/** A request as somebody on the way has it: they can change whatever is not signed. */
interface Captured {
  readonly path: string;
  readonly payload: string;
  readonly signed: Required<Pick<SignOptions, "timestamp" | "nonce" | "signature">>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a thief changes, and how long they wait. */
const MUTATIONS: readonly {
  readonly name: string;
  readonly change: (captured: Captured) => Captured;
  readonly afterSeconds?: number;
  /** 401 where none is named. */
  readonly status?: number;
}[] = [
  { name: "as it is", change: (captured) => captured },
  { name: "a new nonce", change: withNewNonce },
  {
    name: "a new nonce and a new Idempotency-Key",
    change: (captured) => withHeaders(withNewNonce(captured), { "idempotency-key": randomUUID() }),
  },
  {
    name: "a new nonce and another agent",
    change: (captured) => withHeaders(withNewNonce(captured), { "x-agent-id": randomUUID() }),
  },
  {
    name: "a new nonce and a query",
    change: (captured) => ({ ...withNewNonce(captured), path: `${captured.path}?limit=1` }),
    // The path without its query is what was signed. The route knows no such parameter, and that is told first.
    status: 422,
  },
  {
    name: "a new nonce and names of headers in capitals",
    change: (captured) => withHeaders(withNewNonce(captured), { "X-SVC-MODE": "live" }),
  },
  { name: "a new nonce, 29 seconds later", change: withNewNonce, afterSeconds: 29 },
  { name: "a new nonce, 31 seconds later", change: withNewNonce, afterSeconds: 2 },
];

describe("captured requests under REPLAY_GUARD=strict", () => {
  const harness = useHarness({ settings: { replayGuard: "strict", failuresPerMinute: 1_000_000 } });
  const { query } = accountsOf(harness);

  const countKeys = async () => (await query("select count(*)::int as n from api_keys"))[0].n;

  it(
    "401: do nothing a second time, whatever of them is changed that is not signed",
    async () => {
      const captures = (await Promise.all(Array.from({ length: TENANTS }, captureOfTenant))).flat();
      const first = await sendAll(captures, (captured) => captured);
      const keys = await countKeys();

      const outcomes = [];
      for (const { name, change, afterSeconds = 0 } of MUTATIONS) {
        harness.clock.advanceSeconds(afterSeconds);
        outcomes.push([name, ...(await sendAll(captures, change))]);
      }

      expect(first).toEqual([200]);
      expect(keys).toBe(TENANTS * (REQUESTS_EACH + 1));
      expect(outcomes).toEqual(MUTATIONS.map(({ name, status = 401 }) => [name, status]));
      expect(await countKeys()).toBe(keys);
    },
    testMaxMs(60_000),
  );

  async function captureOfTenant() {
    const tenant = await harness.seedTenant();
    return Array.from({ length: REQUESTS_EACH }, (_, number) => ({
      tenant,
      captured: capture(tenant.apiSecret, `key ${number}`),
    }));
  }

  /** The statuses that they are answered with, each once. */
  async function sendAll(
    captures: Awaited<ReturnType<typeof captureOfTenant>>,
    change: (captured: Captured) => Captured,
  ): Promise<number[]> {
    const statuses = new Set<number>();
    for (const { tenant, captured } of captures) {
      const { path, payload, signed, headers } = change(captured);
      const answer = await tenant.sendRaw("POST", path, payload, { ...signed, headers });
      statuses.add(answer.status);
    }
    return [...statuses];
  }

  function capture(apiSecret: string, name: string): Captured {
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
    const payload = JSON.stringify({ name });
    const parts = { timestamp, method: "POST", path: PREFIX + KEYS, bodyHash: sha256Hex(payload) };
    const signature = requestSignature(sha256Hex(apiSecret), parts).toString("hex");
    const signed = { timestamp, nonce: randomUUID(), signature };
    return { path: KEYS, payload, signed, headers: {} };
  }
});

function withNewNonce(captured: Captured): Captured {
  return { ...captured, signed: { ...captured.signed, nonce: randomUUID() } };
}

function withHeaders(captured: Captured, headers: Readonly<Record<string, string>>): Captured {
  return { ...captured, headers: { ...captured.headers, ...headers } };
}
