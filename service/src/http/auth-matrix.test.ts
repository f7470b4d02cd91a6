import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { adminsOf } from "../../test/admins.ts";
import { everyRoute, type ListedRoute, pathOf } from "../../test/every-route.ts";
import { type ApiResponse, PREFIX, useHarness } from "../../test/harness.ts";

type Send = (route: ListedRoute) => Promise<ApiResponse>;
type Auth = ListedRoute["auth"];

interface CredentialCase {
  /** The route classes that accept the credential. */
  readonly accepts: readonly Auth[];
  readonly send: Send;
}

/** Calls every route with every kind of credential (docs/rules/credentials.md). */
describe("authentication of every route", () => {
  const harness = useHarness({ settings: { failuresPerMinute: 1_000_000 } });
  const accounts = accountsOf(harness);
  const admins = adminsOf(harness);

  function unsigned(headers: Readonly<Record<string, string>>): Send {
    return (route) =>
      harness.send({
        method: route.method,
        url: PREFIX + pathOf(route),
        // Each call uses a new IP address, so that per-network rate limits do not apply.
        remoteAddress: accounts.newAddress(),
        headers,
      });
  }

  async function credentialCases(): Promise<Readonly<Record<string, CredentialCase>>> {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const revoked = await harness.seedKey(tenant.tenantId);
    await tenant.delete(`/developers/me/keys/${revoked.keyId}`);
    const unknown = harness.clientOf(`svc_sk_live_${randomBytes(32).toString("base64url")}`, tenant.apiSecret);
    const { accessToken } = await accounts.seedAccount();
    const admin = await admins.seedSession();
    const bearer = (token: string, more: Readonly<Record<string, string>> = {}) =>
      unsigned({ authorization: `Bearer ${token}`, ...more });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = `${part({ alg: "none", typ: "at+jwt" })}.${part({ sub: tenant.tenantId })}.x`;
    const nonce = randomUUID();
    await tenant.get("/developers/me", { nonce });
    const stale = String(Math.floor(harness.clock.now().getTime() / 1000) - 31);
    const signed =
      (client: Pick<typeof tenant, "sendRaw">, options = {}): Send =>
      (route) =>
        client.sendRaw(route.method, pathOf(route), undefined, options);
    const none: readonly Auth[] = [];
    return {
      "no credential": { accepts: none, send: unsigned({}) },
      "an unsupported scheme": {
        accepts: none,
        send: unsigned({ authorization: "Basic YTpi" }),
      },
      "an unsigned token": { accepts: none, send: bearer(forged, { "x-svc-mode": "live" }) },
      "a session": { accepts: ["dashboard"], send: bearer(accessToken) },
      "a session and a mode": {
        accepts: ["dashboard", "tenant"],
        send: bearer(accessToken, { "x-svc-mode": "live" }),
      },
      "a session's cookie and a mode": {
        accepts: ["dashboard", "tenant"],
        send: unsigned({ cookie: `svc_access=${accessToken}`, "x-svc-mode": "test" }),
      },
      "an admin's token": { accepts: ["admin"], send: bearer(admin.accessToken) },
      "a live key": { accepts: ["tenant", "signed"], send: signed(tenant) },
      "a test key": { accepts: ["tenant", "signed"], send: signed(test) },
      "a wrong signature": { accepts: none, send: signed(tenant, { signature: "0".repeat(64) }) },
      "a timestamp of 31 s ago": { accepts: none, send: signed(tenant, { timestamp: stale }) },
      "a used nonce": { accepts: none, send: signed(tenant, { nonce }) },
      "an unknown key": { accepts: none, send: signed(unknown) },
      "a revoked key": { accepts: none, send: signed(revoked) },
      "an API key after Bearer": { accepts: none, send: bearer(tenant.apiKey) },
    };
  }

  /** Returns true if the status is not 5xx, and is 401 exactly when the route does not accept the credential. */
  const isExpected = ({ auth }: ListedRoute, { accepts }: CredentialCase, { status }: ApiResponse) =>
    status < 500 && (status === 401) !== accepts.includes(auth);

  it("401 with one body: a credential that the route's class does not accept", async () => {
    const routes = everyRoute();
    const guarded = routes.filter(({ auth }) => auth !== "public");
    const calls = Object.entries(await credentialCases()).flatMap(([name, state]) =>
      guarded.map((route) => ({ name, state, route })),
    );
    const unexpected: string[] = [];
    const bodies = new Set<string>();

    for (const { name, state, route } of calls) {
      const response = await state.send(route);
      if (response.status === 401) bodies.add(response.text.replace(/"request_id":"\w+"/, ""));
      if (!isExpected(route, state, response)) {
        unexpected.push(`${route.method} ${route.path} (${route.auth}) with ${name}: ${response.status}`);
      }
    }

    expect(unexpected).toEqual([]);
    expect([...bodies]).toHaveLength(1);
    expect(calls.length).toBeGreaterThan(700);
    expect(new Set(routes.map(({ auth }) => auth)).size).toBe(6);
  }, 120_000);

  it("the same status with and without a credential: public routes", async () => {
    const routes = everyRoute().filter(({ auth }) => auth === "public");
    const cases = await credentialCases();
    const differing: string[] = [];

    for (const route of routes) {
      const plain = await unsigned({})(route);
      for (const [name, { send }] of Object.entries(cases)) {
        const { status } = await send(route);
        if (status !== plain.status) {
          differing.push(`${route.method} ${route.path} with ${name}: ${status}, not ${plain.status}`);
        }
      }
    }

    expect(differing).toEqual([]);
    expect(routes.length).toBeGreaterThan(15);
  }, 120_000);
});
