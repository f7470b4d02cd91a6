import { sql } from "kysely";
import { Type } from "typebox";
import type { App } from "../src/app.ts";
import type { Actor } from "../src/audit/append.ts";
import type { Tx } from "../src/db/database.ts";
import { AppError, invalidField } from "../src/foundation/errors.ts";
import { newId, type TenantId } from "../src/foundation/ids.ts";
import { formatDecimal, parseDecimal } from "../src/foundation/money.ts";
import { DecimalIn, DecimalOut } from "../src/foundation/wire/amounts.ts";
import { credentialErrors, Problem } from "../src/foundation/wire/problem.ts";
import { actorOf } from "../src/http/auth/principal.ts";
import { replyToMoneyRequest } from "../src/http/money-request.ts";
import { principalOf, type Route } from "../src/http/route.ts";
import { moneyStatements } from "../src/idempotency/money/queries.ts";
import { type MoneyClaim, runMoneyRequest } from "../src/idempotency/money/run-money-request.ts";
import { run, type TestDatabase } from "./database.ts";

const DECIMALS = 6;
const SPEND_MICROS_MAX = 1_000_000_000n;
const amountText = (micros: bigint) => formatDecimal(micros, DECIMALS);

/**
 * Creates the tables of the test route: each tenant's balance, and its spendings. The sequence counts how often a request
 * has read a balance.
 */
export async function createSpendTables({ ownerUrl }: TestDatabase): Promise<void> {
  await run(
    ownerUrl,
    `create table test_balances (tenant_id text primary key, micros bigint not null, is_frozen boolean not null);
    call purser_protect('test_balances', false);
    create table test_spends (tenant_id text not null, spend_id text not null, micros bigint not null,
      primary key (tenant_id, spend_id));
    call purser_protect('test_spends', false);
    create sequence test_spend_reads;
    grant usage, select on sequence test_spend_reads to purser_service;
    create function test_spend_facts(spender text) returns table (micros bigint, is_frozen boolean) language plpgsql as
      $$ begin perform nextval('test_spend_reads'); return query select b.micros, b.is_frozen from test_balances b where tenant_id = spender; end $$`,
  );
}

interface Facts {
  readonly micros: bigint;
  readonly isFrozen: boolean;
}

interface SpendRow {
  readonly spendId: string;
  readonly spentMicros: bigint;
}

const statements = moneyStatements<{ readonly balanceOf: TenantId }, Facts, SpendRow>({
  facts: (_db, query) => sql<Facts>`select * from test_spend_facts(${query.balanceOf})`,
  rows: (_db, row) => ({
    spend: sql`insert into test_spends (tenant_id, spend_id, micros)
      values (${row.tenantId}, ${row.spendId}, ${row.spentMicros})`,
  }),
});

interface Spend {
  readonly spendId: string;
  readonly micros: bigint;
}

function insufficientFunds(availableMicros: bigint, requiredMicros: bigint): AppError {
  const decision = { available: amountText(availableMicros), required: amountText(requiredMicros) };
  return new AppError("insufficient_funds", { decision });
}

export interface SpendOptions {
  /** Default: `signed`. */
  readonly auth?: "signed" | "tenant";
  /** Called before the balance is changed. */
  readonly beforeMove?: (tx: Tx) => Promise<void>;
  /** Called after the balance is changed. */
  readonly afterMove?: (tx: Tx) => Promise<void>;
}

/** Spends an amount of the tenant's balance in a money request. */
function spend(
  app: App,
  actor: Actor,
  {
    claim,
    micros,
    beforeMove,
    afterMove,
  }: SpendOptions & { readonly claim: MoneyClaim<Spend>; readonly micros: bigint },
) {
  const { tenantId } = claim;
  const spendId = newId("spend");
  return runMoneyRequest(app, actor, claim, {
    statements,
    query: { balanceOf: tenantId },
    decide: ({ isFrozen, micros: available }) => {
      if (micros > SPEND_MICROS_MAX) return invalidField("/body/amount", "maximum", "is too large");
      if (isFrozen) return new AppError("wallet_frozen");
      return available < micros ? insufficientFunds(available, micros) : { spendId, micros };
    },
    move: async (tx, plan) => {
      await beforeMove?.(tx);
      const { rows } = await sql`
        update test_balances set micros = micros - ${plan.micros}
        where tenant_id = ${tenantId} and micros >= ${plan.micros} returning tenant_id`.execute(tx);
      await afterMove?.(tx);
      return rows.length === 0 ? insufficientFunds(0n, plan.micros) : plan;
    },
    rowOf: (spent) => ({ spendId: spent.spendId, spentMicros: spent.micros }),
    recordOf: (outcome) => ({
      action: outcome instanceof AppError ? "test.spend_refused" : "test.spent",
      subject: { type: "spend", id: spendId },
      facts: { code: outcome instanceof AppError ? outcome.code : null },
      data: { amount: amountText(micros) },
      occurredAt: app.clock.now(),
    }),
  });
}

/**
 * Returns the route `POST /test/spend`, which takes the path of every request that moves money, without a ledger and
 * budgets.
 */
export function testSpendRoute({ auth = "signed", ...hooks }: SpendOptions = {}): Route {
  return (server, app) =>
    server.route({
      method: "POST",
      url: "/api/v1/svc/test/spend",
      config: { auth, scope: "payments:write", agentBound: "allowed", movesMoney: true },
      schema: {
        operationId: "testSpend",
        body: Type.Object({ amount: DecimalIn }, { additionalProperties: false }),
        response: {
          200: Type.Object({ spend_id: Type.String(), amount: DecimalOut }),
          402: Problem,
          409: Problem,
          ...credentialErrors,
        },
      },
      handler: async (request, reply) => {
        const micros = parseDecimal(request.body.amount, DECIMALS);
        if (micros === undefined || micros === 0n) {
          throw invalidField("/body/amount", "minimum", "must be greater than zero");
        }
        const actor = actorOf(request, principalOf(request));
        return replyToMoneyRequest(
          app,
          request,
          reply,
          {
            status: 200,
            present: (spent: Spend) => ({
              spend_id: spent.spendId,
              amount: amountText(spent.micros),
            }),
          },
          (claim) => spend(app, actor, { ...hooks, claim, micros }),
        );
      },
    });
}
