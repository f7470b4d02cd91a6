import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Operation, operationsOf } from "../../../scripts/generate/operations.ts";
import { NotFoundError, type Purser, SignatureVerificationError } from "../src/index.ts";
import { API_KEY, envSignature, type TestResponse, useTestServer } from "./test-server.ts";

const document = JSON.parse(readFileSync(new URL("../../../openapi/openapi.json", import.meta.url), "utf8"));
const operations = operationsOf(document);

describe("operations", () => {
  const test = useTestServer();

  it("each of the classes public, tenant, signed and dashboard has a method of its own", () => {
    const methods = operations.map(({ sdk }) => sdk.join("."));
    const named = Object.values<Record<string, { operationId: string; security: object[] }>>(document.paths)
      .flatMap((path) => Object.values(path))
      .filter(({ security }) => !security.some((one) => /^(admin|stripe)/.test(Object.keys(one)[0] ?? "")));

    expect(operations.map(({ operationId }) => operationId)).toEqual(named.map(({ operationId }) => operationId));
    expect(new Set(methods).size).toBe(methods.length);
    expect(operations.length).toBeGreaterThan(130);
  });

  it.each(operations.map((operation) => [operation.sdk.join("."), operation] as const))(
    "purser.%s sends its method, path, query and body",
    async (_name, operation) => {
      const { method, path, bodyFields, query, access } = operation;
      // A failure that is final: a stream connects again after any other answer.
      test.server.script({ status: 404 });

      await callWithValues(test.signedClient({ session: "a.b.c" }), operation);

      const [received] = test.server.received;
      const sentPath = path.replace(/\{(\w+)\}/g, "$1%2F1");
      const sentQuery = query.slice(0, 1).map(({ name }) => [name, "7"]);
      const url = new URL(received?.path ?? "", "http://purser");
      expect([received?.method, url.pathname]).toEqual([method, `/api/v1/svc${sentPath}`]);
      expect([...url.searchParams]).toEqual(expect.arrayContaining(sentQuery));
      expect(received?.body).toBe(bodyFields.length > 0 ? `{"${bodyFields[0]}":"value"}` : "");
      expect(received?.isSigned).toBe(access === "signed" || access === "tenant");
    },
  );

  it("an operation that an agent must make is made by the agent in its body", async () => {
    const agent = "3b241101-e2bb-4255-8caf-4136c566a962";

    await test.signedClient().payments.send({ agent_id: agent, amount: "1.00", to: "0x" });

    expect(test.server.received[0]?.headers["x-agent-id"]).toBe(agent);
  });

  it("returns undefined for an empty response", async () => {
    test.server.script({ status: 204 });

    expect(await test.client().developers.logOut({ refresh_token: "r" })).toBeUndefined();
  });
});

/** Calls the operation's method with ids, the first field of its body and its first query parameter. */
async function callWithValues(purser: Purser, { sdk, pathParameters, bodyFields, query }: Operation): Promise<void> {
  const owner = sdk.slice(0, -1).reduce<unknown>((at, name) => Reflect.get(Object(at), name), purser);
  const values = [
    ...pathParameters.map(({ name }) => `${name}/1`),
    ...bodyFields.slice(0, 1).map((field) => ({ [field]: "value" })),
    ...query.slice(0, 1).map(({ name }) => ({ [name]: "7" })),
  ];
  const call = Reflect.get(Object(owner), sdk.at(-1) ?? "").call(owner, ...values);
  // The request of a stream is sent when its first event is read.
  await Promise.resolve("next" in call ? call.next() : call).catch(() => undefined);
}

describe("lists", () => {
  const test = useTestServer();

  const page = (ids: readonly string[], more: object): TestResponse => ({
    body: { object: "list", data: ids.map((project_id) => ({ project_id })), per_page: 2, ...more },
  });
  const threePages = [
    page(["a", "b"], { page: 1, has_more: true, next_cursor: "c1" }),
    page(["c", "d"], { has_more: true, next_cursor: "c2" }),
    page(["e"], { has_more: false, next_cursor: null }),
  ];

  it("can be iterated over all pages", async () => {
    test.server.script(...threePages);

    const ids: string[] = [];
    for await (const project of test.signedClient().projects.list({ page: 1, per_page: 2 })) {
      ids.push(project.project_id);
    }

    expect(ids).toEqual(["a", "b", "c", "d", "e"]);
    expect(test.server.received.map(({ path }) => path)).toEqual([
      "/api/v1/svc/projects?page=1&per_page=2",
      "/api/v1/svc/projects?per_page=2&cursor=c1",
      "/api/v1/svc/projects?per_page=2&cursor=c2",
    ]);
  });

  it("can be read page by page", async () => {
    test.server.script(...threePages);

    const first = await test.signedClient().projects.list();
    const second = await first.getNextPage();
    const third = await second?.getNextPage();

    expect(first.data).toHaveLength(2);
    expect(second?.data).toMatchObject([{ project_id: "c" }, { project_id: "d" }]);
    expect(third?.hasNextPage()).toBe(false);
    expect(await third?.getNextPage()).toBeUndefined();
  });

  it("are read up to a limit without requesting more pages", async () => {
    test.server.script(...threePages);
    const list = test.signedClient().projects.list();

    expect(await list.toArray({ limit: 3 })).toMatchObject([
      { project_id: "a" },
      { project_id: "b" },
      { project_id: "c" },
    ]);
    expect(test.server.received).toHaveLength(2);
  });

  it("continue with next_cursor if the route returns one", async () => {
    test.server.script(
      {
        body: {
          object: "list",
          catalog_version: "v",
          data: [{ provider: "neon" }],
          next_cursor: "c1",
        },
      },
      {
        body: {
          object: "list",
          catalog_version: "v",
          data: [{ provider: "stripe" }],
          next_cursor: null,
        },
      },
    );

    const providers = await test.signedClient().projects.catalog({ q: "db" }).toArray({ limit: 100 });

    expect(providers.map(({ provider }) => provider)).toEqual(["neon", "stripe"]);
    expect(test.server.received[1]?.path).toBe("/api/v1/svc/projects/catalog?q=db&cursor=c1");
  });

  it("throw the error of a later page", async () => {
    test.server.script(page(["a"], { next_cursor: "c1", has_more: true }), { status: 404 });

    const all = test.signedClient().projects.list().toArray({ limit: 9 });

    await expect(all).rejects.toThrow(NotFoundError);
  });
});

describe("projects.env.pull", () => {
  const test = useTestServer();

  function bundle(changes: object = {}): TestResponse {
    const env = { DATABASE_URL: "postgres://é", A: "1" };
    const canonical = '{"A":"1","DATABASE_URL":"postgres://é"}';
    const fingerprint = createHash("sha256").update(canonical).digest("hex");
    const facts = { object: "env_bundle", project_id: "proj_1", environment: "production" };
    const bytes = Buffer.from(JSON.stringify({ ...facts, env, fingerprint, ...changes }));
    return { bytes, headers: { "x-svc-signature": envSignature(bytes), etag: '"e1"' } };
  }

  it("returns the values of a bundle signed with the client's key", async () => {
    test.server.script(bundle());

    const { data, headers } = await test
      .signedClient()
      .projects.env.pull("proj_1", { environment: "production", keys: ["A", "DATABASE_URL"] })
      .withResponse();

    expect(data.env).toEqual({ A: "1", DATABASE_URL: "postgres://é" });
    expect(headers.get("etag")).toBe('"e1"');
    expect(test.server.received).toMatchObject([
      {
        path: "/api/v1/svc/projects/proj_1/env?environment=production&format=json&keys=A%2CDATABASE_URL",
        isSigned: true,
      },
    ]);
  });

  it.each<[string, TestResponse]>([
    ["is not signed", { ...bundle(), headers: {} }],
    ["was changed after signing", { ...bundle({ version: 9 }), headers: bundle().headers ?? {} }],
    ["has a different fingerprint", bundle({ fingerprint: "0".repeat(64) })],
    ["is for a different project", bundle({ project_id: "proj_2" })],
    ["is for a different environment", bundle({ environment: "development" })],
    ["is signed with a different key", signedWith(bundle(), `${API_KEY.slice(0, -1)}x`)],
  ])("rejects a bundle that %s", async (_name, response) => {
    test.server.script(response);

    const pull = test.signedClient().projects.env.pull("proj_1", { environment: "production" });

    await expect(pull).rejects.toThrow(SignatureVerificationError);
  });

  it.each(["dotenv", "docker"] as const)(
    "returns the text of a signed %s file and rejects an unsigned one",
    async (format) => {
      const bytes = Buffer.from("A='1'\n");
      const headers = { "content-type": "text/plain", "x-svc-signature": envSignature(bytes) };
      test.server.script({ bytes, headers }, { bytes, headers: { "content-type": "text/plain" } });
      const { env } = test.signedClient().projects;

      const text: string = await env.pull("proj_1", { format });
      const unsigned = env.pull("proj_1", { format });

      expect(text).toBe("A='1'\n");
      await expect(unsigned).rejects.toThrow(SignatureVerificationError);
      expect(test.server.received[0]?.path).toContain(`format=${format}`);
    },
  );

  it("returns names without values", async () => {
    test.server.script(bundle({ env: null }));

    const names = await test.signedClient().projects.env.pull("proj_1", { names_only: true });

    expect(names.env).toBeNull();
    expect(test.server.received[0]?.path).toContain("names_only=true");
  });

  it("throws for a misspelled field, without pulling values", async () => {
    const request = { namesOnly: true } as object;

    const pulled = test.signedClient().projects.env.pull("proj_1", request);

    await expect(pulled).rejects.toThrow("There is no field `namesOnly`. There are: environment, format, names_only,");
    expect(test.server.received).toEqual([]);
  });

  it("returns undefined for a 304 if the call had ifNoneMatch, otherwise throws", async () => {
    test.server.script({ status: 304 }, { status: 304 });
    const { env } = test.signedClient().projects;

    const unchanged = await env.pull("proj_1", { ifNoneMatch: '"e1"' });
    const unconditional = env.pull("proj_1");

    expect(unchanged).toBeUndefined();
    expect(test.server.received[0]?.headers["if-none-match"]).toBe('"e1"');
    await expect(unconditional).rejects.toMatchObject({ status: 304 });
  });
});

function signedWith(response: TestResponse, apiKey: string): TestResponse {
  const bytes = response.bytes ?? Buffer.alloc(0);
  return { bytes, headers: { "x-svc-signature": envSignature(bytes, apiKey) } };
}
