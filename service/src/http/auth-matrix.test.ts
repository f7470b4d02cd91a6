import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { adminsOf } from "../../test/admins.ts";
import { everyRoute, type ListedRoute, pathOf } from "../../test/every-route.ts";
import { type Answer, PREFIX, useHarness } from "../../test/harness.ts";

type Send = (route: ListedRoute) => Promise<Answer>;
type Auth = ListedRoute["auth"];

interface State {
  /** The classes of route for which it is a credential. */
  readonly opens: readonly Auth[];
  readonly send: Send;
}

/** Every route of the API with every state of a credential: contract, ruling 2. */
describe("who may call what", () => {
  const harness = useHarness({ settings: { failuresPerMinute: 1_000_000 } });
  const accounts = accountsOf(harness);
  const admins = adminsOf(harness);

  function unsigned(headers: Readonly<Record<string, string>>): Send {
    return (route) =>
      harness.send({
        method: route.method,
        url: PREFIX + pathOf(route),
        // One of its own each: what is limited for a network is not what is tried here.
        remoteAddress: accounts.newAddress(),
        headers,
      });
  }

  async function states(): Promise<Readonly<Record<string, State>>> {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const revoked = await harness.seedKey(tenant.tenantId);
    await tenant.delete(`/developers/me/keys/${revoked.keyId}`);
    const unknown = harness.clientOf(
      `svc_sk_live_${randomBytes(32).toString("base64url")}`,
      tenant.apiSecret,
    );
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
      "no credential": { opens: none, send: unsigned({}) },
      "a scheme that is none of ours": {
        opens: none,
        send: unsigned({ authorization: "Basic YTpi" }),
      },
      "a token that nobody signed": { opens: none, send: bearer(forged, { "x-svc-mode": "live" }) },
      "a session": { opens: ["dashboard"], send: bearer(accessToken) },
      "a session and a mode": {
        opens: ["dashboard", "tenant"],
        send: bearer(accessToken, { "x-svc-mode": "live" }),
      },
      "a session's cookie and a mode": {
        opens: ["dashboard", "tenant"],
        send: unsigned({ cookie: `svc_access=${accessToken}`, "x-svc-mode": "test" }),
      },
      "an admin's token": { opens: ["admin"], send: bearer(admin.accessToken) },
      "a live key": { opens: ["tenant", "signed"], send: signed(tenant) },
      "a test key": { opens: ["tenant", "signed"], send: signed(test) },
      "a wrong signature": { opens: none, send: signed(tenant, { signature: "0".repeat(64) }) },
      "a timestamp of 31 s ago": { opens: none, send: signed(tenant, { timestamp: stale }) },
      "a nonce that was used": { opens: none, send: signed(tenant, { nonce }) },
      "a key that nobody has": { opens: none, send: signed(unknown) },
      "a revoked key": { opens: none, send: signed(revoked) },
      "an API key behind Bearer": { opens: none, send: bearer(tenant.apiKey) },
    };
  }

  /** Whether a state that does not open the route is refused, one that does is not, and neither breaks anything. */
  const isRight = ({ auth }: ListedRoute, { opens }: State, { status }: Answer) =>
    status < 500 && (status === 401) !== opens.includes(auth);

  it("401: for every route and every credential but those of its class, in the same words", async () => {
    const routes = everyRoute(harness);
    const guarded = routes.filter(({ auth }) => auth !== "public");
    const calls = Object.entries(await states()).flatMap(([name, state]) =>
      guarded.map((route) => ({ name, state, route })),
    );
    const wrong: string[] = [];
    const words = new Set<string>();

    for (const { name, state, route } of calls) {
      const answer = await state.send(route);
      if (answer.status === 401) words.add(answer.text.replace(/"request_id":"\w+"/, ""));
      if (!isRight(route, state, answer)) {
        wrong.push(`${route.method} ${route.path} (${route.auth}) with ${name}: ${answer.status}`);
      }
    }

    expect(wrong).toEqual([]);
    expect([...words]).toHaveLength(1);
    expect(calls.length).toBeGreaterThan(700);
    expect(new Set(routes.map(({ auth }) => auth)).size).toBe(5);
  }, 120_000);

  it("a public route answers everybody alike, whatever credential comes along", async () => {
    const routes = everyRoute(harness).filter(({ auth }) => auth === "public");
    const asked = await states();
    const differing: string[] = [];

    for (const route of routes) {
      const plain = await unsigned({})(route);
      for (const [name, { send }] of Object.entries(asked)) {
        const { status } = await send(route);
        if (status !== plain.status) {
          differing.push(
            `${route.method} ${route.path} with ${name}: ${status}, not ${plain.status}`,
          );
        }
      }
    }

    expect(differing).toEqual([]);
    expect(routes.length).toBeGreaterThan(15);
  }, 120_000);
});
