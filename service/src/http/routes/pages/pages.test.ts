import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { catalog } from "../../../foundation/wire/error-catalog.ts";

describe("the API reference", () => {
  const harness = useHarness();
  const get = (url: string) => harness.send({ method: "GET", url });

  it("200: loads nothing from other hosts", async () => {
    const page = await get("/docs/reference");
    const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? "");

    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["content-security-policy"]).not.toMatch(/https?:|\*/);
    expect(named.filter((url) => !url.startsWith("data:"))).toEqual(["/docs/", "/docs/reference.js", "/docs/start.js"]);
    for (const url of ["/docs/reference.js", "/docs/start.js"]) {
      expect(await get(url)).toMatchObject({
        status: 200,
        headers: { "content-type": "text/javascript; charset=utf-8" },
      });
    }
  });

  it("302: / leads to the dashboard", async () => {
    expect(await get("/")).toMatchObject({ status: 302, headers: { location: "/dashboard" } });
  });

  it.each(["/dashboard/", "/admin/"])("%s is the same page as without the slash", async (path) => {
    const [page, same] = [await get(path), await get(path.slice(0, -1))];

    expect(page.status).not.toBe(404);
    expect([page.status, page.headers["content-type"]]).toEqual([same.status, same.headers["content-type"]]);
  });

  it("200: lists the errors", async () => {
    const { description } = (await get("/openapi.json")).body.info;
    expect(description).toContain("\n## Errors\n");
    expect(description).toContain("| `insufficient_funds` | 402 |");
  });

  it("200: an icon, which the pages' policies allow", async () => {
    const icon = await get("/favicon.ico");

    expect(icon).toMatchObject({ status: 200, headers: { "content-type": "image/svg+xml" } });
    expect((await get("/docs/reference")).headers["content-security-policy"]).toContain("img-src 'self'");
  });

  it("200: hides the button that sends unsigned requests", async () => {
    expect((await get("/docs/start.js")).text).toContain("hideTestRequestButton: true");
  });

  it("200: the OpenAPI document lists the API's routes and no pages", async () => {
    const { body } = await get("/openapi.json");

    expect(body.openapi).toBe("3.1.0");
    expect(body.paths["/api/v1/svc/developers/me"].get.operationId).toBe("getDeveloper");
    expect(Object.keys(body.paths).filter((path) => !path.startsWith("/api/v1/svc/"))).toEqual([]);
  });

  it("200: the document is valid OpenAPI 3.1, with credentials, parameters and responses", async () => {
    const { body } = await get("/openapi.json");
    const operation = (method: string, path: string) => body.paths[`/api/v1/svc${path}`][method];
    const namesOf = (parts: readonly { name?: string; $ref?: string }[] = []) =>
      parts.map(({ name, $ref = "" }) => name ?? $ref.split("/").at(-1));
    const signed = { apiKey: [], requestTimestamp: [], requestNonce: [], requestSignature: [] };

    const validator = new Validator();
    expect(await validator.validate(body)).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");

    const pull = operation("get", "/projects/{project_id}/env");
    expect(pull.security).toEqual([signed]);
    expect(namesOf(pull.parameters)).toEqual(expect.arrayContaining(["if-none-match", "AgentId", "format"]));
    expect(Object.keys(pull.responses["200"].content)).toEqual(["application/json", "text/plain"]);
    expect(Object.keys(pull.responses["200"].headers)).toEqual(
      expect.arrayContaining(["X-Svc-Signature", "ETag", "RateLimit-Remaining", "X-Svc-Mode"]),
    );
    const create = operation("post", "/projects");
    expect(create.security).toEqual([signed, { dashboardToken: [] }, { dashboardCookie: [] }]);
    expect(namesOf(create.parameters)).toEqual(["SvcMode", "SvcDeveloper", "AgentId", "IdempotencyKey"]);
    expect(create.requestBody.required).toBe(true);
    expect(operation("post", "/developers/logout").requestBody.required).toBe(false);
    expect(operation("post", "/developers/login").security).toEqual([]);
    expect(operation("delete", "/developers/provider-keys/{provider}").responses).toMatchObject({
      "404": { $ref: "#/components/responses/NotFound" },
      "405": { $ref: "#/components/responses/MethodNotAllowed" },
      "413": { $ref: "#/components/responses/PayloadTooLarge" },
      "415": { $ref: "#/components/responses/UnsupportedMediaType" },
    });
    expect(body.components.responses.MethodNotAllowed.headers).toHaveProperty("Allow");
    expect(body.components.responses.TooManyRequests.headers).toHaveProperty("Retry-After");
  });

  it("200: the JWKS contains public keys only", async () => {
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

describe("a page that does not exist", () => {
  const harness = useHarness();
  const open = (url: string, accept = "text/html,*/*") => harness.send({ method: "GET", url, headers: { accept } });

  it("308: a slash at the end leads a browser to the page without it, and to no other server", async () => {
    expect(await open("/login/?a=1")).toMatchObject({ status: 308, headers: { location: "/login?a=1" } });
    expect(await open("/dashboard/test/agents/")).toMatchObject({ status: 308 });
    expect((await open("//example.com/")).status).toBe(404);
  });

  it("404: a page for browsers, and JSON for programs and for the API", async () => {
    const page = await open("/nope");
    expect([page.status, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.text).toContain('href="/dashboard"');
    for (const answer of [await open("/nope", "*/*"), await open("/api/v1/svc/nope")]) {
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
  });
});

describe("/errors/{code}", () => {
  const harness = useHarness();
  const get = (url: string) => harness.send({ method: "GET", url });

  it("200: the type of an error leads to what happened, why, what to do, and an example", async () => {
    const { type, detail } = (await get("/api/v1/svc/nothing")).body;

    const { status, text, headers } = await get(type);

    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const { why, next } = catalog.not_found;
    for (const part of [detail, why, next, "HTTP status 404", "&quot;code&quot;: &quot;not_found&quot;"]) {
      expect(text).toContain(part);
    }
    expect((await get("/errors/rate_limited")).text).toContain("seconds to wait");
    expect((await get("/errors/validation_error")).text).toContain("/body/name");
  });

  it("200: in the dashboard's font, which its policy allows", async () => {
    const { headers } = await get("/errors/not_found");
    const { location } = (await get("/inter.woff2")).headers;

    expect(headers["content-security-policy"]).toContain("font-src 'self'");
    expect(await get(String(location))).toMatchObject({ status: 200, headers: { "content-type": "font/woff2" } });
  });

  it.each(["unknown", "toString"])("404: no error has the code %s", async (code) => {
    const { status, text } = await get(`/errors/${code}`);

    expect([status, text.includes("<h1>There is no such error</h1>")]).toEqual([404, true]);
  });
});

describe("/healthz and /readyz", () => {
  const harness = useHarness();

  it("503: /readyz shows the failed check; /healthz remains 200", async () => {
    expect((await harness.send({ method: "GET", url: "/readyz" })).body).toEqual({
      ready: true,
      checks: { database: "ok", migrations: "ok", fast_state: "ok", clock: "ok" },
    });

    harness.app.health.refusal = "clock differs from the database's by 9000 ms";
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
