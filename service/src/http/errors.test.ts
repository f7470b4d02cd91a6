import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { buildServer } from "./server.ts";

describe("the errors of a validation_error", () => {
  const harness = useHarness();
  const DECIMAL = "must be an amount in decimal notation, such as 12.50";

  it.each([
    ["monthly_cap", { monthly_cap: "1e3" }, DECIMAL],
    ["monthly_cap", '{"monthly_cap":1e3}', DECIMAL],
    ["monthly_cap", '{"monthly_cap":-1}', "must not be negative"],
    ["monthly_cap", { monthly_cap: "1.0000001" }, "must have at most 6 decimals"],
    ["monthly_cap", { monthly_cap: "1234567890123456789" }, "must have at most 18 digits before the point"],
    ["monthly_cap", { monthly_cap: true }, "must be a string or a number"],
    ["description", { description: 1 }, "must be a string or null"],
    ["description", '{"description":"\\ud800"}', "contains an unpaired surrogate"],
    ["name", {}, "is required"],
    ["name", { name: "\u200b" }, "must contain a letter, a digit, a punctuation mark or a symbol"],
    ["name", { name: " a" }, "does not have the required form: 1 to 100 characters on one"],
    ["nmae", { nmae: "a" }, "is not a field of this request"],
    ["cap_behavior", { cap_behavior: "x" }, "must be one of block, require_approval"],
    ["agent_ids/0", { agent_ids: ["x"] }, "does not have the required form: A UUID."],
    ["environments", { environments: ["a", "a"] }, "must not contain the same item twice"],
    [`metadata/${"k".repeat(41)}`, { metadata: { ["k".repeat(41)]: "" } }, "its name must have at most 40 characters"],
    ["metadata/a\nb", { metadata: { "a\nb": "" } }, "its name does not have the required form"],
    ["metadata/k", { metadata: { k: "\0" } }, "must be text without NUL characters"],
  ])("422: %s has a detail in plain text", async (field, body, detail) => {
    const tenant = await harness.seedTenant();
    const text = typeof body === "string" ? body : JSON.stringify(body);

    const response = await tenant.sendRaw("POST", "/projects", text);

    expect(response.body.errors).toContainEqual({
      pointer: `/body/${field}`,
      code: expect.any(String),
      detail: expect.stringMatching(detail.replaceAll(/[.:?()]/g, "\\$&")),
    });
  });
});

describe("a failed request", () => {
  const harness = useHarness();

  it.each([
    ["text", sql`select ${"a\0"}::text`],
    ["JSON", sql`select ${'{"a":"\\u0000"}'}::jsonb`],
  ])("422, not 500: NUL reaches the database as %s", async (_what, query) => {
    const server = await buildServer(harness.app, {
      routes: [
        (target) =>
          target.route({
            method: "GET",
            url: "/nul",
            config: { auth: "public", page: true },
            handler: () => query.execute(harness.app.db),
          }),
      ],
    });

    const response = await server.inject({ url: "/nul", headers: { host: "purser.test" } });

    expect([response.statusCode, response.json().detail]).toEqual([
      422,
      "The request contains the character NUL (U+0000), which cannot be stored.",
    ]);
    await server.close();
  });

  it("logs the request id and the reason", async () => {
    const response = await harness.send({ method: "GET", url: "/api/v1/svc/projects" });

    const lines = harness.logLines.map((line) => JSON.parse(line));
    const requestId = response.body.request_id;
    expect(response.headers["x-request-id"]).toBe(requestId);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: "request failed",
        requestId,
        code: "authentication_failed",
        internal: "missing or repeated dashboard token",
      }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ msg: "request completed", requestId, status: 401 }));
  });
});
