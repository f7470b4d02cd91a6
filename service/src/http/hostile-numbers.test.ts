import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { describeApi } from "../../api-document/describe-api.ts";
import { pathOf } from "../../test/every-route.ts";
import { type ApiResponse, useHarness } from "../../test/harness.ts";
import { type Document, type RequestField, requestFields } from "../../test/hostile-numbers/amount-fields.ts";
import { hostileNumbers, tooPrecise } from "../../test/hostile-numbers/values.ts";
import { dumpDatabase } from "../../test/project-seeds.ts";
import { createSpendTable, testSpendRoute } from "../../test/test-spend.ts";
import type { InvalidField } from "../foundation/errors.ts";
import { catalogOf } from "../modules/catalog/catalog.ts";
import { allRoutes } from "./routes/manifest.ts";

const LIMIT = { id: "limit", effect: "limit", budget: { max: "1", period: "per_tx" } };
/** The fields with amounts in a policy. */
const POLICY_AMOUNTS = [
  "approvals/threshold_usd",
  "rules/*/budget/max",
  ...["amount_usd", "monthly_cost_usd"].flatMap((fact) =>
    ["gt", "gte", "lt", "lte", "eq"].map((operator) => `rules/*/when/${fact}/${operator}`),
  ),
];

/** For each route with amounts, the fields that its body needs besides the amount, and the decimals of its currency. */
const AGENT = randomUUID();
/** A payment to an address. */
const PAYMENT = {
  body: { agent_id: AGENT, amount: "1.00", to: `0x${"1".repeat(40)}` },
  decimals: 6,
  headers: { "x-agent-id": AGENT },
};

const ROUTES: Readonly<
  Record<
    string,
    {
      readonly body: object;
      readonly decimals: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  >
> = {
  "POST /projects": { body: { name: "New" }, decimals: 2 },
  "PATCH /projects/{project_id}": { body: { description: "changed" }, decimals: 2 },
  "POST /projects/{project_id}/services": { body: { service: "neon/postgres" }, decimals: 2 },
  "POST /projects/{project_id}/services/{service_id}/upgrade": {
    body: { plan: "launch" },
    decimals: 2,
  },
  "POST /policies": { body: { name: "New", rules: [LIMIT] }, decimals: 6 },
  "PATCH /policies/{policy_id}": { body: {}, decimals: 6 },
  "POST /policies/evaluate": { body: { operation: "payment", policy: { rules: [] } }, decimals: 6 },
  "POST /policies/{policy_id}/backtest": { body: { agent_id: randomUUID() }, decimals: 6 },
  "POST /wallets/{wallet_id}/fund": { body: {}, decimals: 6 },
  "POST /payments/send": PAYMENT,
  "POST /payments/simulate": PAYMENT,
  "POST /payments/{payment_id}/capture": { ...PAYMENT, body: {} },
  "POST /payments/{payment_id}/refund": { ...PAYMENT, body: {} },
  "POST /fiat/on-ramp": { body: { source_account_id: "ba_1", wallet_id: "wal_1", amount: "5.00" }, decimals: 6 },
  "POST /fiat/off-ramp": { body: { destination_account_id: "ba_1", wallet_id: "wal_1", amount: "5.00" }, decimals: 6 },
  "POST /test/spend": { body: {}, decimals: 6 },
};

/** Names that a field with an amount has. */
const AMOUNT_NAME = /(^|_)(amount|balance|budget|cap|cost|fee|price)$/;
/** The place of the text in a body. */
const MARK = "the text";
/** The rate limits, so that no call reaches one. */
const CALLS_MAX = 1_000_000;

/** Sends texts that are not amounts to every amount field of every route (docs/rules/conventions.md). */
describe("hostile numbers", () => {
  const keyBucket = { capacity: CALLS_MAX, refillPerSecond: CALLS_MAX };
  const harness = useHarness({
    routes: [testSpendRoute()],
    settings: { keyBucket, failuresPerMinute: CALLS_MAX },
  });
  let document: Document;
  beforeAll(async () => {
    await createSpendTable(harness.database);
    document = (await describeApi(harness.app, [...allRoutes, testSpendRoute()])) as Document;
  });

  const nameOf = ({ route, pointer }: RequestField) => `${route} ${pointer}`;

  it("amounts are in exactly these fields", () => {
    const fields = requestFields(document);
    const amounts = fields.filter(({ isDecimal }) => isDecimal);
    const providers = catalogOf(harness.app).map(({ provider }) => provider);
    const caps = ["monthly_cap", ...providers.map((provider) => `provider_caps/${provider}`)];

    expect(amounts.map(nameOf).sort()).toEqual(
      [
        ...caps.map((cap) => `POST /projects /body/${cap}`),
        ...caps.map((cap) => `PATCH /projects/{project_id} /body/${cap}`),
        "POST /projects/{project_id}/services /body/max_monthly_cost",
        "POST /projects/{project_id}/services/{service_id}/upgrade /body/max_monthly_cost",
        ...POLICY_AMOUNTS.flatMap((field) => [
          `POST /policies /body/${field}`,
          `PATCH /policies/{policy_id} /body/${field}`,
          `POST /policies/evaluate /body/policy/${field}`,
          `POST /policies/{policy_id}/backtest /body/${field}`,
        ]),
        "POST /policies/evaluate /body/facts/amount_usd",
        "POST /policies/evaluate /body/facts/monthly_cost_usd",
        "POST /wallets/{wallet_id}/fund /body/amount",
        "POST /payments/send /body/amount",
        "POST /payments/send /body/max_fee",
        "POST /payments/simulate /body/amount",
        "POST /payments/simulate /body/max_fee",
        "POST /payments/{payment_id}/capture /body/amount",
        "POST /payments/{payment_id}/refund /body/amount",
        ...["on-ramp", "off-ramp"].flatMap((ramp) => [
          `POST /fiat/${ramp} /body/amount`,
          `POST /fiat/${ramp} /body/max_fee`,
        ]),
        "POST /test/spend /body/amount",
      ].sort(),
    );
    // A field with the name of an amount is a decimal, or contains decimals.
    const named = fields.filter(({ pointer }) => AMOUNT_NAME.test(pointer.split("/").at(-1) ?? ""));
    const others = named.filter(
      ({ route, pointer }) => !amounts.some((one) => one.route === route && one.pointer.startsWith(pointer)),
    );
    expect(others.map(nameOf)).toEqual([]);
    expect(providers.length).toBeGreaterThan(2);
  });

  it("there are more than 300 of them", () => {
    const texts = hostileNumbers("amount").map(({ text }) => text.toString("latin1"));

    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThan(300);
  });

  /** Returns the body with this text at the pointer. `*` is the first item of an array. */
  function bodyOf({ route, pointer }: RequestField, text: string | Buffer): Buffer {
    const names = pointer.split("/").slice(2);
    const [head = "", tail = ""] = JSON.stringify(withMark(ROUTES[route]?.body ?? {}, names)).split(
      JSON.stringify(MARK),
    );
    return Buffer.concat([Buffer.from(head), Buffer.from(text), Buffer.from(tail)]);
  }

  function withMark(base: unknown, [name, ...rest]: readonly string[]): unknown {
    if (name === undefined) return MARK;
    if (name === "*") return [withMark(Array.isArray(base) ? base[0] : {}, rest)];
    const fields = new Map(Object.entries(base ?? {}));
    const value = withMark(fields.get(name), rest);
    fields.delete(name);
    return Object.fromEntries([...fields, [name, value]]);
  }

  it("422 with the pointer of the field, and nothing is written", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "Own" });
    const policy = await tenant.post("/policies", { name: "Own", rules: [] });
    const { policy_id } = policy.body;
    const testKey = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const before = await dumpDatabase(harness.database.superuserUrl);
    const unexpected: string[] = [];

    const headersOf = ({ route }: RequestField) => ROUTES[route]?.headers ?? {};

    async function sendAll(field: RequestField): Promise<void> {
      const [method = "", path = ""] = field.route.split(" ");
      const headers = headersOf(field);
      const caller = path.endsWith("/fund") ? testKey : tenant;
      const send = (...call: readonly [string, string, Buffer]) => caller.sendRaw(...call, { headers });
      const url = pathOf({ path }, { project_id: body.project_id, policy_id });
      for (const { text, expected } of valuesFor(field)) {
        const got = summaryOf(await send(method, url, bodyOf(field, text)));
        if (got === `422 validation_error ${expected}`) continue;
        unexpected.push(`${nameOf(field)} ${text.slice(0, 60)}: ${got}`);
      }
    }
    // The rules of all routes have the same schema, so those of one route are enough.
    const amounts = requestFields(document).filter(
      ({ route, pointer, isDecimal }) => isDecimal && (route === "POST /policies" || !pointer.includes("/rules/")),
    );
    await Promise.all(amounts.map(sendAll));

    expect(unexpected).toEqual([]);
    expect(await dumpDatabase(harness.database.superuserUrl)).toBe(before);
  }, 120_000);

  /** Returns the status, the code and the pointers of a problem. */
  function summaryOf({ status, headers, body }: ApiResponse): string {
    expect(headers["content-type"]).toContain("application/problem+json");
    const pointers = body.errors.map(({ pointer }: InvalidField) => pointer);
    return [status, body.code, ...new Set(pointers)].join(" ");
  }

  /** Returns what to send in a field, and the pointer in the error. */
  function valuesFor({ route, pointer: template, isNullable }: RequestField) {
    const pointer = template.replace("*", "0");
    const { decimals = 0 } = ROUTES[route] ?? {};
    const others = [...tooPrecise(decimals), ...(isNullable ? [] : ["null"])];
    return [
      ...others.map((text) => ({ text, expected: pointer })),
      ...hostileNumbers(pointer.split("/").at(-1) ?? "").map(({ text, breaksBody }) => ({
        text,
        expected: breaksBody ? "/body" : pointer,
      })),
    ];
  }
});
