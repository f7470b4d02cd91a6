import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { isCampaign, repetitions, testMaxMs } from "../../test/campaign.ts";
import { PREFIX, type SignOptions, useHarness } from "../../test/harness.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";

const KEYS = "/developers/me/keys";
const TENANTS = isCampaign ? 10 : 3;
const REQUESTS_EACH = repetitions(5);

/** A signed request that an attacker has captured. The attacker can change everything that the signature does not cover. */
interface Captured {
  readonly path: string;
  readonly payload: string;
  readonly signed: Required<Pick<SignOptions, "timestamp" | "nonce" | "signature">>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The attacker's changes to the captured request, and the seconds until the attacker sends it. */
const MUTATIONS: readonly {
  readonly name: string;
  readonly change: (captured: Captured) => Captured;
  readonly afterSeconds?: number;
  /** The expected status. Default: 409. */
  readonly status?: number;
}[] = [
  { name: "unchanged, with its nonce", change: (captured) => captured, status: 401 },
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
    // The signature is valid, because it covers the path without its query. The route rejects the unknown parameter.
    status: 422,
  },
  {
    name: "a new nonce and a header name in capitals",
    change: (captured) => withHeaders(withNewNonce(captured), { "X-SVC-MODE": "live" }),
  },
  { name: "a new nonce, 29 seconds later", change: withNewNonce, afterSeconds: 29 },
  { name: "a new nonce, 31 seconds later", change: withNewNonce, afterSeconds: 2, status: 401 },
];

describe.each(["money", "strict"] as const)("captured requests under REPLAY_GUARD=%s", (replayGuard) => {
  const harness = useHarness({ settings: { replayGuard, failuresPerMinute: 1_000_000 } });
  const { query } = accountsOf(harness);

  const countKeys = async () => (await query("select count(*)::int as n from api_keys"))[0].n;

  it(
    "no effect: the request is sent again with unsigned parts changed",
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
      expect(outcomes).toEqual(MUTATIONS.map(({ name, status = 409 }) => [name, status]));
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

  /** Returns the distinct response statuses. */
  async function sendAll(
    captures: Awaited<ReturnType<typeof captureOfTenant>>,
    change: (captured: Captured) => Captured,
  ): Promise<number[]> {
    const statuses = new Set<number>();
    for (const { tenant, captured } of captures) {
      const { path, payload, signed, headers } = change(captured);
      const response = await tenant.sendRaw("POST", path, payload, { ...signed, headers });
      statuses.add(response.status);
    }
    return [...statuses];
  }

  function capture(apiSecret: string, name: string): Captured {
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
    const payload = JSON.stringify({ name });
    const parts = {
      timestamp,
      method: "POST",
      path: PREFIX + KEYS,
      bodyHash: sha256Hex(payload),
    };
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
