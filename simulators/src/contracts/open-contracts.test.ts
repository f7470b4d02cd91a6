import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { EXAMPLE_DESCRIPTION, exampleVendor } from "../../test/example-vendor.ts";
import type { VendorBodies } from "../kit/vendor-simulator.ts";
import { openContracts } from "./open-contracts.ts";
import type { VendorContract } from "./vendor-contract.ts";

const JSON_HEADERS = { "content-type": "application/json" };
const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" };

function requireContract(contract: VendorContract | null | undefined): VendorContract {
  if (!contract) throw new Error("The description is missing.");
  return contract;
}

describe("openContracts", () => {
  const teapot = exampleVendor();
  const bridge = {
    contractFile: "handwritten/bridge.yaml",
    contractPrefix: "/v0",
    bodies: "json",
  } as const;
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "purser-contracts-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
  });

  it("null: the directory does not exist", async () => {
    expect(await openContracts(join(dir, "elsewhere"))).toBeNull();
  });

  it("Error: the directory is empty", async () => {
    await expect(openContracts(dir)).rejects.toThrow("contains no OpenAPI descriptions");
  });

  it("ENOTDIR: the path is a file", async () => {
    await writeFile(join(dir, "file"), "");
    await expect(openContracts(join(dir, "file"))).rejects.toThrow("ENOTDIR");
  });

  it("contractOf rejects: the description is missing, not JSON, or has no operations", async () => {
    await writeFile(join(dir, "other.json"), "{}");
    const contracts = await openContracts(dir);
    await expect(contracts?.contractOf(teapot)).rejects.toThrow("ENOENT");
    await writeFile(join(dir, "teapot.json"), "{ half");
    await expect(contracts?.contractOf(teapot)).rejects.toThrow("is not JSON");
    for (const nothing of ["{}", "[]", '{"openapi":"3.0.3","paths":{}}']) {
      await writeFile(join(dir, "teapot.json"), nothing);
      await expect(contracts?.contractOf(teapot)).rejects.toThrow("has no operations");
    }
  });

  it("contractOf returns null: the vendor publishes no description", async () => {
    await writeFile(join(dir, "teapot.json"), JSON.stringify(EXAMPLE_DESCRIPTION));
    const contracts = await openContracts(dir);
    expect(await contracts?.contractOf({ ...teapot, contractFile: null })).toBeNull();
    expect(await contracts?.contractOf(teapot)).not.toBeNull();
  });

  it("reads a YAML description and adds the missing paths", async () => {
    await mkdir(join(dir, "handwritten"));
    const yaml = `
openapi: 3.0.2
paths:
  /kyc_links:
    get: { operationId: listKycLinks, responses: { "200": { description: ok } } }
`;
    await writeFile(join(dir, bridge.contractFile), yaml);
    const contract = requireContract(await (await openContracts(dir))?.contractOf(bridge));
    const get = (path: string, query = "") =>
      contract.checkRequest({ method: "GET", path, query, headers: {}, body: undefined });
    expect(get("/v0/kyc_links")).toEqual([]);
    expect(get("/v0/customers", "limit=1")).toEqual([]);
    expect(get("/v0/customers", "limit=0")).not.toEqual([]);
    expect(get("/v0/nothing")).not.toEqual([]);
    expect(contract.checkResponse("listCustomers", { status: 200, body: { data: [] } })).toEqual([
      { path: "count", message: "is required" },
    ]);
  });

  it("uses the directory of VENDOR_CONTRACTS_DIR", async () => {
    const before = process.env["VENDOR_CONTRACTS_DIR"];
    onTestFinished(() => {
      if (before === undefined) delete process.env["VENDOR_CONTRACTS_DIR"];
      else process.env["VENDOR_CONTRACTS_DIR"] = before;
    });
    process.env["VENDOR_CONTRACTS_DIR"] = join(dir, "elsewhere");
    expect(await openContracts()).toBeNull();
    process.env["VENDOR_CONTRACTS_DIR"] = dir;
    await expect(openContracts()).rejects.toThrow(dir);
  });
});

describe("VendorContract", () => {
  let dir: string;
  let contract: VendorContract;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "purser-contracts-"));
    await writeFile(join(dir, "teapot.json"), JSON.stringify(EXAMPLE_DESCRIPTION));
    const contracts = await openContracts(dir);
    contract = requireContract(await contracts?.contractOf(exampleVendor()));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const check = (body: unknown, path = "/v1/loose") =>
    contract.checkRequest({ method: "POST", path, query: "", headers: JSON_HEADERS, body });

  it("valid: described fields", () => {
    const made_at = "2026-01-01T12:00:00Z";
    const body = { name: {}, count: 1, lid: { color: "red" }, made_at, extra: { any: "text" } };
    expect(check(body)).toEqual([]);
    expect(check(undefined)).toEqual([]);
    expect(check({ properties: "a field with the name of a keyword" })).toEqual([]);
  });

  it.each([
    ["a wrong type", { count: "1" }, "count", "must be integer"],
    ["an unknown field", { cont: 1 }, "cont", "is not known"],
    ["an unknown nested field", { lid: { colour: "red" } }, "lid.colour", "is not known"],
    ["an unknown field below a field with the name of a keyword", { enum: { two: 2 } }, "enum.two", "is not known"],
    ["a wrong type of an additional property", { extra: { any: 1 } }, "extra.any", "must be string"],
    ["an invalid date", { made_at: "soon" }, "made_at", 'must match format "date-time"'],
  ])("invalid: %s", (_what, body, path, message) => {
    expect(check(body)).toEqual([{ path, message }]);
  });

  it("invalid: a missing body, a missing field, a value outside the enumeration", () => {
    expect(check(undefined, "/v1/pots")).toEqual([{ path: "requestBody", message: "is required" }]);
    expect(check({}, "/v1/pots")).toEqual([{ path: "name", message: "is required" }]);
    expect(check({ name: "x", kind: "glass" }, "/v1/pots")).toEqual([
      { path: "kind", message: "must be one of clay, iron" },
    ]);
  });

  it("invalid: an unknown path, method or query parameter", () => {
    const get = (path: string, query = "", method = "GET") =>
      contract.checkRequest({ method, path, query, headers: {}, body: undefined });
    expect(get("/v1/pots")).toEqual([]);
    expect(get("/v1/pots", "limit=1")).toEqual([{ path: "query.limit", message: "is not known" }]);
    expect(get("/v1/cups")).toEqual([{ path: "", message: "GET /v1/cups is not described" }]);
    expect(get("/pots")).toEqual([{ path: "", message: "GET /pots is not described" }]);
    expect(get("/v1/pots", "", "PATCH")).toHaveLength(1);
  });

  it("responses: additional fields are valid, missing fields are not", () => {
    const response = (status: number, body: unknown) => contract.checkResponse("loosePot", { status, body });
    expect(response(200, { name: "x", more: 1 })).toEqual([]);
    expect(response(200, {})).toEqual([{ path: "name", message: "is required" }]);
    expect(response(200, { name: 1 })).toEqual([{ path: "name", message: "must be string" }]);
    expect(response(418, { code: "short_and_stout" })).toEqual([]);
    expect(response(418, {})).toEqual([{ path: "code", message: "is required" }]);
  });

  it("responses: an undescribed success status or operation is invalid", () => {
    expect(contract.checkResponse("createPot", { status: 200, body: {} })).toEqual([
      { path: "", message: "createPot has no response 200" },
    ]);
    expect(contract.checkResponse("createPot", { status: 409, body: {} })).toEqual([]);
    expect(contract.checkResponse("warmPot", { status: 200, body: {} })).toEqual([
      { path: "", message: "warmPot is not described" },
    ]);
  });
});

const contracts = await openContracts();

describe.skipIf(contracts === null)("the vendors' OpenAPI descriptions", () => {
  const contractOf = async (contractFile: string, contractPrefix: string, bodies: VendorBodies) =>
    requireContract(await contracts?.contractOf({ contractFile, contractPrefix, bodies }));

  it("Neon: invalid requests are rejected", async () => {
    const neon = await contractOf("pruned/neon.json", "/api/v2", "json");
    const create = (body: unknown) =>
      neon.checkRequest({
        method: "POST",
        path: "/api/v2/projects",
        query: "",
        headers: JSON_HEADERS,
        body,
      });
    expect(create({ project: { name: "x", region_id: "aws-us-east-2", pg_version: 17 } })).toEqual([]);
    expect(create({})).toHaveLength(1);
    expect(create({ project: { pg_version: "17" } })).toHaveLength(1);
    expect(create({ project: { nmae: "x" } })).toEqual([{ path: "project.nmae", message: "is not known" }]);
  });

  it("Supabase: invalid requests are rejected", async () => {
    const supabase = await contractOf("pruned/supabase.json", "", "json");
    const create = (body: object) =>
      supabase.checkRequest({
        method: "POST",
        path: "/v1/projects",
        query: "",
        headers: JSON_HEADERS,
        body,
      });
    const good = { name: "x", db_pass: "p", organization_slug: "o", region: "us-east-1" };
    expect(create(good)).toEqual([]);
    expect(create({ ...good, name: 1 })).toHaveLength(1);
    expect(create({ ...good, region: "us-nowhere-9" })).not.toEqual([]);
    expect(create({ ...good, plans: "pro" })).toEqual([{ path: "plans", message: "is not known" }]);
  });

  it("Stripe: requests are checked against the types of the current SDK", async () => {
    const stripe = await contractOf("pruned/stripe.json", "", "form");
    const post = (path: string, body: unknown) =>
      stripe.checkRequest({ method: "POST", path, query: "", headers: FORM_HEADERS, body });
    const intent = (body: object) => post("/v1/setup_intents", body);
    expect(
      intent({
        customer: "cus_1",
        payment_method: "pm_1",
        usage: "off_session",
        confirm: "true",
        automatic_payment_methods: { enabled: "true", allow_redirects: "never" },
      }),
    ).toEqual([]);
    expect(intent({ payment_method_types: ["card"] })).toEqual([
      { path: "payment_method_types", message: "is not known" },
    ]);
    expect(intent({ confirm: "maybe" })).toHaveLength(1);
    expect(intent({ usage: "sometimes" })).not.toEqual([]);
    expect(post("/v1/customers", { metadata: { a: "b" } })).toEqual([]);
    expect(post("/v1/customers/cus_1", { emial: "x" })).toEqual([{ path: "emial", message: "is not known" }]);
  });
});
