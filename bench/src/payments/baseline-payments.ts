import { createPrivateKey, sign } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { canonicalJson } from "@purser/service/foundation/canonical-json.ts";
import { newId } from "@purser/service/foundation/ids.ts";
import pg from "pg";
import { serveParent } from "../server-process.ts";
import { listenOnLoopback, readBody, sendJson } from "../servers/listen.ts";
import type { Developer } from "../servers/seed-developer.ts";
import { createVerifier } from "../servers/verifier.ts";
import { claimStatement, FACTS, MOVE, ROWS } from "./baseline-statements.ts";

export interface BaselinePaymentsInput {
  readonly developers: readonly Developer[];
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /** Signs receipts, in PEM. */
  readonly statementKey: string;
}

/**
 * Baseline for `POST /payments/send`: a `node:http` and `pg` server that verifies the signature like Purser, writes the
 * same rows in one transaction of five round trips, and sends the same response with a signed receipt. The additional
 * time that Purser needs is the cost of its framework, layers, policies and checks.
 */
serveParent((input: BaselinePaymentsInput) => {
  const pool = new pg.Pool({ connectionString: input.databaseUrl, max: input.connectionsMax });
  const verify = createVerifier(input.developers);
  const signReceipt = createReceiptSigner(input.statementKey);
  return listenOnLoopback(async (request, response) => {
    const body = await readBody(request);
    const tenantId = verify(request, sha256Hex(body));
    if (tenantId === undefined) return sendJson(response, 401, {});
    const payment = await pay(pool, { tenantId, request, body: JSON.parse(body), signReceipt });
    sendJson(response, payment === undefined ? 403 : 200, payment ?? {});
  });
});

interface Asked {
  readonly tenantId: string;
  readonly request: IncomingMessage;
  readonly body: {
    readonly agent_id: string;
    readonly amount: string;
    readonly to: string;
    readonly reference: string;
  };
  readonly signReceipt: (statement: Readonly<Record<string, string>>) => object;
}

/** Pays in one transaction. Returns undefined, after a rollback, if the payment is not allowed. */
async function pay(pool: pg.Pool, asked: Asked): Promise<object | undefined> {
  const { tenantId } = asked;
  const client = await pool.connect();
  const run = async (name: string, text: string, values: readonly unknown[]) =>
    (await client.query({ name, text, values: [...values] })).rows;
  let isBroken = true;
  try {
    // The driver sends several statements in one round trip only as one text.
    await client.query(beginAndClaim(client, asked));
    const at = new Date();
    const { agent_id: agentId, to } = asked.body;
    const [facts] = await run("facts", FACTS, [tenantId, agentId, to.toLowerCase(), at]);
    const baseUnits = Number(asked.body.amount) * 1e6;
    const isAllowed =
      facts?.status === "active" &&
      facts.freeze_mode === null &&
      !facts.stopped &&
      baseUnits <= 1e9 &&
      Number(facts.used) + baseUnits <= 1e10;
    const payment = newPayment(asked, facts, at);
    const { ids } = payment;
    const moved = isAllowed
      ? await run("move", MOVE, [
          ...[tenantId, facts.budget_id, at, baseUnits, ids.reservation, ids.payment],
          ...[ids.transfer, facts.debit_id, facts.credit_id],
        ])
      : [];
    if (moved.length === 0) {
      await client.query("rollback");
      isBroken = false;
      return undefined;
    }
    await run("rows", ROWS, rowsOf(asked, facts, { ...payment, baseUnits, at }));
    await client.query("commit");
    isBroken = false;
    return payment.presented;
  } finally {
    client.release(isBroken);
  }
}

function beginAndClaim(client: pg.PoolClient, { tenantId, request }: Asked): string {
  const literal = (value: unknown) => client.escapeLiteral(String(value));
  const claim = claimStatement({
    tenant: literal(tenantId),
    signature: literal(sha256Hex(String(request.headers["x-request-signature"]))),
    key: literal(request.headers["idempotency-key"]),
    at: literal(new Date().toISOString()),
  });
  return `begin; select set_config('purser.tenant_id', ${literal(tenantId)}, true),
    set_config('lock_timeout', '1000ms', true); ${claim}`;
}

function newPayment({ body, signReceipt }: Asked, facts: pg.QueryResultRow | undefined, at: Date) {
  const ids = { payment: newId("pay"), reservation: newId("rsv"), transfer: newId("ltr") };
  const time = at.toISOString();
  const receipted = {
    payment_id: ids.payment,
    mode: "test",
    agent_id: body.agent_id,
    wallet_id: facts?.["wallet_id"],
    network: facts?.["network"],
    token: "USDC",
    paid_amount: body.amount,
  };
  const presented = {
    object: "payment",
    ...receipted,
    amount: body.amount,
    refunded_amount: "0.00",
    to: { type: "address", value: body.to, address: body.to, wallet_id: null },
    status: "confirmed",
    execution: "auto",
    purpose: null,
    reference: body.reference,
    decision: { ...verdictOf(facts), screening: null },
    project_id: null,
    reservation: { reservation_id: ids.reservation, amount: body.amount },
    fees: [{ type: "network", amount: "0.00", sponsored: true }],
    onchain: null,
    approval: null,
    failure: null,
    receipt: {
      payment_id: ids.payment,
      chain_id: null,
      ...signReceipt({ ...receipted, payee_address: body.to, settled_at: time }),
    },
    metadata: {},
    expires_at: null,
    created_at: time,
    settled_at: time,
    updated_at: time,
  };
  return { ids, presented };
}

function verdictOf(facts: pg.QueryResultRow | undefined) {
  return {
    outcome: "allow",
    policy_id: facts?.["policy_id"],
    policy_version: facts?.["version"],
    rule_id: "allow_payments",
    kya_level: "none",
  };
}

function rowsOf(
  { tenantId, request, body }: Asked,
  facts: pg.QueryResultRow,
  { ids, presented, baseUnits, at }: ReturnType<typeof newPayment> & { readonly baseUnits: number; readonly at: Date },
): unknown[] {
  const { agent_id: agentId, to, reference, amount } = body;
  const common = { amount, token: "USDC", network: facts["network"] };
  const known = {
    ...{ amount_usd: amount, token: "USDC", network: facts["network"], payee: to },
    ...{ kya_level: "none", payee_first_seen: !facts["has_paid"] },
  };
  const entry = {
    ...{ agent_id: agentId, wallet_id: facts["wallet_id"], project_id: null, ...common },
    ...{ payee: to, failure: null },
  };
  const { screening: _, ...verdict } = presented.decision;
  const actor = { type: "agent", id: agentId, key_id: facts["policy_id"], ip: "127.0.0.1" };
  const text = JSON.stringify(presented);
  return [
    ...[tenantId, ids.payment, agentId, facts["wallet_id"], facts["network"], baseUnits],
    ...[JSON.stringify({ type: "address", value: to }), to, facts["debit_id"], facts["credit_id"]],
    ...[reference, JSON.stringify(verdict), ids.reservation, ids.transfer, at, newId("pdc")],
    ...[JSON.stringify(known), facts["policy_id"], facts["version"], newId("aud")],
    ...[JSON.stringify(actor), JSON.stringify({ type: "payment", id: ids.payment })],
    ...[JSON.stringify(entry), newId("req"), text, request.headers["idempotency-key"]],
    ...[newId("evt"), text],
  ];
}

function createReceiptSigner(pem: string): Asked["signReceipt"] {
  const key = createPrivateKey(pem);
  return (statement) => {
    const hash = sha256Hex(canonicalJson(statement));
    const signed = Buffer.from(`purser-payment-receipt-v1\n${hash}`);
    const signature = sign(null, signed, key).toString("base64url");
    return { hash, signature, alg: "ed25519", kid: "0123456789abcdef" };
  };
}
