import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";

describe("the reference page", () => {
  const harness = useHarness();
  const get = (url: string) => harness.send({ method: "GET", url });

  it("loads nothing from outside: what it names is here, and a browser is told to refuse the rest", async () => {
    const page = await get("/docs");
    const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? "");

    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["content-security-policy"]).not.toMatch(/https?:|\*/);
    expect(named.filter((url) => !url.startsWith("data:"))).toEqual([
      "/docs/reference.js",
      "/docs/start.js",
    ]);
    for (const url of ["/docs/reference.js", "/docs/start.js"]) {
      expect(await get(url)).toMatchObject({
        status: 200,
        headers: { "content-type": "text/javascript; charset=utf-8" },
      });
    }
  });

  it("shows the document that the routes make", async () => {
    const { body } = await get("/openapi.json");

    expect(body.openapi).toBe("3.1.0");
    expect(body.paths["/api/v1/svc/developers/me"].get.operationId).toBe("getDeveloper");
    expect(Object.keys(body.paths).filter((path) => !path.startsWith("/api/v1/svc/"))).toEqual([]);
  });

  it("200: the public halves of our signing keys, and nothing private", async () => {
    const { body } = await get("/.well-known/jwks.json");

    expect(body.keys).toEqual([
      {
        kty: "OKP",
        crv: "Ed25519",
        x: expect.any(String),
        kid: expect.any(String),
        alg: "EdDSA",
        use: "sig",
      },
    ]);
  });
});

describe("the probes", () => {
  const harness = useHarness();

  it("503: /readyz says what is missing, /healthz goes on", async () => {
    expect((await harness.send({ method: "GET", url: "/readyz" })).body).toEqual({
      ready: true,
      checks: { database: "ok", migrations: "ok", fast_state: "ok", clock: "ok" },
    });

    harness.app.health.refusal = "the clock is 9000 ms off the database's";
    const tenant = await harness.seedTenant();
    const [ready, alive, call] = await Promise.all([
      harness.send({ method: "GET", url: "/readyz" }),
      harness.send({ method: "GET", url: "/healthz" }),
      tenant.get("/developers/me"),
    ]);
    harness.app.health.refusal = null;

    expect([ready.status, alive.status, call.status]).toEqual([503, 200, 503]);
    expect(ready.body.checks.clock).toContain("9000 ms");
    expect(call.text).not.toContain("9000");
  });
});
