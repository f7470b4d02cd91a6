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

function present(contract: VendorContract | null | undefined): VendorContract {
  if (!contract) throw new Error("The description that should be there is not.");
  return contract;
}

describe("a directory of vendors' descriptions", () => {
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

  it("that is not there is none, and nothing is held against it", async () => {
    expect(await openContracts(join(dir, "elsewhere"))).toBeNull();
  });

  it("that is empty is refused", async () => {
    await expect(openContracts(dir)).rejects.toThrow("No vendor's description is in");
  });

  it("that is no directory is refused", async () => {
    await writeFile(join(dir, "file"), "");
    await expect(openContracts(join(dir, "file"))).rejects.toThrow("ENOTDIR");
  });

  it("is refused once a description in it is missing, not JSON, or describes nothing", async () => {
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

  it("has nothing of a vendor that publishes no description, whatever lies in it", async () => {
    await writeFile(join(dir, "teapot.json"), JSON.stringify(EXAMPLE_DESCRIPTION));
    const contracts = await openContracts(dir);
    expect(await contracts?.contractOf({ ...teapot, contractFile: null })).toBeNull();
    expect(await contracts?.contractOf(teapot)).not.toBeNull();
  });

  it("may hold descriptions in YAML, to which we add what they leave out", async () => {
    await mkdir(join(dir, "handwritten"));
    const yaml = `
openapi: 3.0.2
paths:
  /kyc_links:
    get: { operationId: listKycLinks, responses: { "200": { description: ok } } }
`;
    await writeFile(join(dir, bridge.contractFile), yaml);
    const contract = present(await (await openContracts(dir))?.contractOf(bridge));
    const get = (path: string, query = "") =>
      contract.checkRequest({ method: "GET", path, query, headers: {}, body: undefined });
    expect(get("/v0/kyc_links")).toEqual([]);
    expect(get("/v0/customers", "limit=1")).toEqual([]);
    expect(get("/v0/customers", "limit=0")).not.toEqual([]);
    expect(get("/v0/nothing")).not.toEqual([]);
    expect(contract.checkAnswer("listCustomers", { status: 200, body: { data: [] } })).toEqual([
      { path: "count", message: "is required" },
    ]);
  });

  it("is the one that VENDOR_CONTRACTS_DIR names", async () => {
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

describe("a vendor's description", () => {
  let dir: string;
  let contract: VendorContract;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "purser-contracts-"));
    await writeFile(join(dir, "teapot.json"), JSON.stringify(EXAMPLE_DESCRIPTION));
    const contracts = await openContracts(dir);
    contract = present(await contracts?.contractOf(exampleVendor()));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const check = (body: unknown, path = "/v1/loose") =>
    contract.checkRequest({ method: "POST", path, query: "", headers: JSON_HEADERS, body });

  it("allows what it names", () => {
    const made_at = "2026-01-01T12:00:00Z";
    const body = { name: {}, count: 1, lid: { color: "red" }, made_at, extra: { any: "text" } };
    expect(check(body)).toEqual([]);
    expect(check(undefined)).toEqual([]);
    expect(check({ properties: "a field that is called like a keyword" })).toEqual([]);
  });

  it.each([
    ["a wrong type", { count: "1" }, "count", "must be integer"],
    ["an unknown field", { cont: 1 }, "cont", "is not known"],
    ["an unknown field further in", { lid: { colour: "red" } }, "lid.colour", "is not known"],
    [
      "an unknown field in one that is called like a keyword",
      { enum: { two: 2 } },
      "enum.two",
      "is not known",
    ],
    ["a wrong type where names are free", { extra: { any: 1 } }, "extra.any", "must be string"],
    ["a date that is none", { made_at: "soon" }, "made_at", 'must match format "date-time"'],
  ])("refuses %s", (_what, body, path, message) => {
    expect(check(body)).toEqual([{ path, message }]);
  });

  it("refuses a missing body, a missing field and a word of no enumeration", () => {
    expect(check(undefined, "/v1/pots")).toEqual([{ path: "requestBody", message: "is required" }]);
    expect(check({}, "/v1/pots")).toEqual([{ path: "name", message: "is required" }]);
    expect(check({ name: "x", kind: "glass" }, "/v1/pots")).toEqual([
      { path: "kind", message: "must be one of clay, iron" },
    ]);
  });

  it("refuses paths, methods and query parameters that it does not name", () => {
    const get = (path: string, query = "", method = "GET") =>
      contract.checkRequest({ method, path, query, headers: {}, body: undefined });
    expect(get("/v1/pots")).toEqual([]);
    expect(get("/v1/pots", "limit=1")).toEqual([{ path: "query.limit", message: "is not known" }]);
    expect(get("/v1/cups")).toEqual([{ path: "", message: "GET /v1/cups is not described" }]);
    expect(get("/pots")).toEqual([{ path: "", message: "GET /pots is not described" }]);
    expect(get("/v1/pots", "", "PATCH")).toHaveLength(1);
  });

  it("lets answers hold more than it names, and not less", () => {
    const answer = (status: number, body: unknown) =>
      contract.checkAnswer("loosePot", { status, body });
    expect(answer(200, { name: "x", more: 1 })).toEqual([]);
    expect(answer(200, {})).toEqual([{ path: "name", message: "is required" }]);
    expect(answer(200, { name: 1 })).toEqual([{ path: "name", message: "must be string" }]);
    expect(answer(418, { code: "short_and_stout" })).toEqual([]);
    expect(answer(418, {})).toEqual([{ path: "code", message: "is required" }]);
  });

  it("refuses a success that it does not name, and an operation that it does not have", () => {
    expect(contract.checkAnswer("createPot", { status: 200, body: {} })).toEqual([
      { path: "", message: "createPot does not answer 200" },
    ]);
    expect(contract.checkAnswer("createPot", { status: 409, body: {} })).toEqual([]);
    expect(contract.checkAnswer("warmPot", { status: 200, body: {} })).toEqual([
      { path: "", message: "warmPot is not described" },
    ]);
  });
});

const contracts = await openContracts();

describe.skipIf(contracts === null)("the descriptions that lie beside the project", () => {
  const contractOf = async (contractFile: string, contractPrefix: string, bodies: VendorBodies) =>
    present(await contracts?.contractOf({ contractFile, contractPrefix, bodies }));

  it("Neon's: refuse what Neon refuses", async () => {
    const neon = await contractOf("pruned/neon.json", "/api/v2", "json");
    const create = (body: unknown) =>
      neon.checkRequest({
        method: "POST",
        path: "/api/v2/projects",
        query: "",
        headers: JSON_HEADERS,
        body,
      });
    expect(create({ project: { name: "x", region_id: "aws-us-east-2", pg_version: 17 } })).toEqual(
      [],
    );
    expect(create({})).toHaveLength(1);
    expect(create({ project: { pg_version: "17" } })).toHaveLength(1);
    expect(create({ project: { nmae: "x" } })).toEqual([
      { path: "project.nmae", message: "is not known" },
    ]);
  });

  it("Supabase's: refuse what Supabase refuses", async () => {
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

  it("Stripe's: refuse what Stripe refuses today, where they are of 2023", async () => {
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
    expect(post("/v1/customers/cus_1", { emial: "x" })).toEqual([
      { path: "emial", message: "is not known" },
    ]);
  });
});
