import { sql } from "kysely";
import { Type } from "typebox";
import type { App } from "../src/app.ts";
import type { Actor } from "../src/audit/append.ts";
import type { Db, Tx } from "../src/db/database.ts";
import { withTransaction } from "../src/db/transaction.ts";
import { AppError, invalidField } from "../src/foundation/errors.ts";
import { type LedgerAccountId, newId, type ProjectId, type TenantId } from "../src/foundation/ids.ts";
import { invariant } from "../src/foundation/invariant.ts";
import { formatTokenAmount, parseTokenAmount, type TokenAmount, usdMicrosOfTokens } from "../src/foundation/money.ts";
import type { TenantScope } from "../src/foundation/tenant-scope.ts";
import type { FreezeMode, Mode } from "../src/foundation/vocabulary.ts";
import { DecimalIn, DecimalOut } from "../src/foundation/wire/fields.ts";
import { Problem } from "../src/foundation/wire/problem.ts";
import { actorOf, principalOf, scopeOf } from "../src/http/auth/principal.ts";
import { singleHeader } from "../src/http/auth/request-headers.ts";
import { replyToMoneyRequest } from "../src/http/money-request.ts";
import type { Route } from "../src/http/route.ts";
import { moneyStatements } from "../src/idempotency/money/queries.ts";
import { DECIDE_AGAIN, type MoneyClaim, runMoneyRequest } from "../src/idempotency/money/run-money-request.ts";
import { openAccounts, readBalances } from "../src/ledger/accounts.ts";
import { moveMoney } from "../src/ledger/move-money.ts";
import { type DecidedOperation, decideOperation } from "../src/modules/decisions/decide-operation.ts";
import { withRules } from "../src/modules/decisions/decision-facts.ts";
import { decisionFacts, type StoredDecisionFacts } from "../src/modules/decisions/queries.ts";
import {
  type Spend as LedgerSpend,
  spend as spendMoney,
  spendWithNextStatement,
} from "../src/modules/payments/spend/spend.ts";
import { requireRevisionWithNext } from "../src/modules/policies/queries.ts";
import { run, type TestDatabase } from "./database.ts";

const ASSET = "usdc";
const BASE_UNITS_MAX = 1_000_000_000n;

/**
 * Creates the table of spendings, which stands for a table of payments, and a sequence that counts how often a request has
 * read its facts.
 */
export async function createSpendTable({ ownerUrl }: Pick<TestDatabase, "ownerUrl">): Promise<void> {
  await run(
    ownerUrl,
    `create table test_spends (tenant_id text not null, spend_id text not null, base_units bigint not null,
      primary key (tenant_id, spend_id));
    call purser_protect(false, 'test_spends');
    create sequence test_spend_reads;
    grant usage, select on sequence test_spend_reads to purser_service`,
  );
}

interface WalletKey {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** Default: the tenant's id, which is also the route's default. */
  readonly walletId?: string;
}

/** Opens a wallet for the route. Moves what its balance lacks from the tenant's faucet, or what it has in excess back. */
export async function setWalletBalance(
  db: Db,
  { tenantId, mode, walletId = tenantId }: WalletKey,
  baseUnits: bigint,
): Promise<void> {
  await withTransaction(db, tenantId, async (tx) => {
    const at = new Date();
    const open = async (kind: "wallet" | "faucet" | "external", subjectId: string) => {
      const key = { tenantId, mode, kind, subjectType: kind, subjectId };
      return (await openAccounts(tx, key, at)).get(ASSET) ?? "lac_none";
    };
    const [wallet, faucet] = [await open("wallet", walletId), await open("faucet", tenantId)];
    await open("external", tenantId);
    const change = baseUnits - (await balanceOf(tx, wallet, { tenantId, mode, walletId }));
    if (change === 0n) return;
    const { outcome } = await moveMoney(tx, {
      kind: "direct",
      mode,
      cause: { type: "test", id: "balance" },
      at,
      amount: { asset: ASSET, baseUnits: change > 0n ? change : -change },
      debitAccountId: change > 0n ? faucet : wallet,
      creditAccountId: change > 0n ? wallet : faucet,
      ignoresFreeze: true,
    });
    if (outcome !== "done") throw new Error(`The balance was not set: ${outcome}`);
  });
}

async function balanceOf(
  tx: Tx,
  accountId: LedgerAccountId,
  { tenantId, mode, walletId }: Required<WalletKey>,
): Promise<bigint> {
  const wallets = { tenantId, mode, subjectType: "wallet", subjectIds: [walletId] };
  const balances = await readBalances(tx, wallets);
  return balances.find((balance) => balance.accountId === accountId)?.total.baseUnits ?? 0n;
}

interface Facts {
  /** Null if the wallet does not exist. */
  readonly debitAccountId: LedgerAccountId | null;
  readonly creditAccountId: LedgerAccountId | null;
  readonly frozen: FreezeMode | null;
  readonly stopped: boolean | null;
  readonly hasProject: boolean;
  /** Null without an agent. */
  readonly decision: StoredDecisionFacts | null;
}

interface Query {
  readonly spender: TenantId;
  readonly spendMode: Mode;
  readonly walletId: string;
  readonly projectId: ProjectId | null;
  /** In lowercase. Null if the developer spends. */
  readonly agentId: string | null;
  readonly at: Date;
}

interface SpendRow {
  readonly spendId: string;
  readonly spentBaseUnits: bigint;
}

const statements = moneyStatements<Query, Facts, SpendRow>({
  facts: (db, { spender, spendMode, walletId, projectId, agentId, at }) => ({
    compile: () =>
      sql<Facts>`
        select debit.account_id as debit_account_id, credit.account_id as credit_account_id, debit.frozen,
          debit.stopped, nextval('test_spend_reads'), exists (
            select from projects where tenant_id = ${spender} and mode = ${spendMode} and project_id = ${projectId}
              and status = 'active' and deleted_at is null) as has_project,
          case when ${agentId}::uuid is not null
            then ${decisionFacts({ tenantId: spender, mode: spendMode, agentId, walletId, projectId, at })} end as decision
        from (select) as one
        left join ledger_accounts as debit on debit.tenant_id = ${spender} and debit.mode = ${spendMode}
          and debit.kind = 'wallet' and debit.subject_id = ${walletId} and debit.asset = ${sql.lit(ASSET)}
        left join ledger_accounts as credit on credit.tenant_id = ${spender} and credit.mode = ${spendMode}
          and credit.kind = 'external' and credit.subject_id = ${spender} and credit.asset = ${sql.lit(ASSET)}`.compile(
        db,
      ),
  }),
  rows: (_db, row) => ({
    spend: sql`insert into test_spends (tenant_id, spend_id, base_units)
      values (${row.tenantId}, ${row.spendId}, ${row.spentBaseUnits})`,
  }),
});

interface Spend {
  readonly spendId: string;
  readonly amount: TokenAmount;
}

export interface SpendOptions {
  /** Default: `signed`. */
  readonly auth?: "signed" | "tenant";
  /** Called before the money is moved. */
  readonly beforeMove?: (tx: Tx) => Promise<void>;
  /** Called after the money is moved. */
  readonly afterMove?: (tx: Tx) => Promise<void>;
}

interface SpendCommand extends SpendOptions {
  readonly claim: MoneyClaim<Spend>;
  readonly scope: TenantScope;
  readonly walletId: string;
  readonly projectId: ProjectId | undefined;
  readonly agentId: string | null;
  readonly amount: TokenAmount;
}

function refusalOf({ hasProject, frozen, stopped }: Facts, projectId: ProjectId | undefined): AppError | undefined {
  if (projectId !== undefined && !hasProject) return new AppError("project_not_found");
  if (stopped === true) return new AppError("agent_suspended");
  return frozen === null ? undefined : new AppError("wallet_frozen");
}

/** Decides by the agent's policies. What a person would be asked for is refused, because this route cannot wait. */
async function decide(
  db: Db,
  facts: StoredDecisionFacts | null,
  {
    scope,
    amount,
    agentId,
    at,
  }: Pick<SpendCommand, "scope" | "amount"> & { readonly agentId: string; readonly at: Date },
): Promise<DecidedOperation> {
  invariant(facts !== null, "the facts are read for an agent");
  const amount_usd = usdMicrosOfTokens(amount);
  const decided = decideOperation(await withRules(db, scope.tenantId, facts), {
    ...{ tenantId: scope.tenantId, mode: scope.mode, agentId, at, approved: [] },
    facts: { operation: "payment", amount_usd, token: "USDC" },
  });
  return decided.asking === undefined
    ? decided
    : {
        ...decided,
        refusal: new AppError("policy_denied", { detail: "A person would be asked." }),
      };
}

/** Spends an amount from a wallet to an external account in a money request. */
function spend(app: App, actor: Actor, command: SpendCommand) {
  const { claim, scope, walletId, projectId, agentId, amount, beforeMove, afterMove } = command;
  const at = app.clock.now();
  const spendId = newId("spend");
  const { tenantId: spender, mode } = scope;
  return runMoneyRequest(app, actor, claim, {
    statements,
    query: { spender, spendMode: mode, walletId, projectId: projectId ?? null, agentId, at },
    decide: async (facts, db): Promise<LedgerSpend | AppError> => {
      const { debitAccountId, creditAccountId } = facts;
      if (amount.baseUnits > BASE_UNITS_MAX) {
        return invalidField("/body/amount", "maximum", "is too large");
      }
      if (debitAccountId === null || creditAccountId === null) {
        return invalidField("/body/wallet_id", "unknown", "is not a wallet");
      }
      const project = projectId === undefined ? undefined : { ...scope, projectId };
      const cause = { type: "spend", id: spendId };
      const plan = { mode, cause, amount, debitAccountId, creditAccountId, project };
      const decision = agentId === null ? undefined : await decide(db, facts.decision, { ...command, agentId, at });
      return refusalOf(facts, projectId) ?? decision?.refusal ?? { kind: "direct", ...plan, decision };
    },
    moveWithNextStatement: (plan) => {
      const { send } = spendWithNextStatement(app, plan);
      return {
        result: { spendId, amount },
        send: async (tx) => {
          await beforeMove?.(tx);
          await send(tx);
          if (plan.decision !== undefined) await requireRevisionWithNext(tx, { mode, ...plan.decision });
          await afterMove?.(tx);
        },
      };
    },
    move: async (tx, plan) => {
      await beforeMove?.(tx);
      const outcome = await spendMoney(tx, app, actor, plan);
      await afterMove?.(tx);
      return outcome instanceof AppError || outcome === DECIDE_AGAIN ? outcome : { spendId, amount };
    },
    rowOf: (spent: Spend) => ({ spendId: spent.spendId, spentBaseUnits: spent.amount.baseUnits }),
    recordOf: (outcome) => ({
      action: outcome instanceof AppError ? "payment.denied" : "payment.confirmed",
      subject: { type: "spend", id: spendId },
      facts: { code: outcome instanceof AppError ? outcome.code : null },
      data: { amount: formatTokenAmount(amount) },
      occurredAt: app.clock.now(),
    }),
  });
}

/** Returns the route `POST /test/spend`, which takes the path of a payment. */
export function testSpendRoute({ auth = "signed", ...hooks }: SpendOptions = {}): Route {
  return (server, app) =>
    server.route({
      method: "POST",
      url: "/api/v1/svc/test/spend",
      config: { auth, scope: "payments:write", agentBound: "allowed", movesMoney: true },
      schema: {
        operationId: "testSpend",
        body: Type.Object(
          {
            amount: DecimalIn,
            wallet_id: Type.Optional(Type.String({ maxLength: 64 })),
            project_id: Type.Optional(Type.String({ maxLength: 64 })),
            /** Makes requests of the same second differ, so that their signatures do too. */
            reference: Type.Optional(Type.String({ maxLength: 64 })),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ spend_id: Type.String(), amount: DecimalOut }),
          402: Problem,
        },
      },
      handler: async (request, reply) => {
        const amount = parseTokenAmount(request.body.amount, ASSET);
        if (amount === undefined || amount.baseUnits === 0n) {
          throw invalidField("/body/amount", "minimum", "must be greater than zero");
        }
        const principal = principalOf(request);
        const actor = actorOf(request);
        const agentId = singleHeader(request, "x-agent-id").toLowerCase();
        const { wallet_id: walletId = principal.tenantId, project_id: projectId } = request.body;
        return replyToMoneyRequest(
          app,
          request,
          reply,
          {
            status: 200,
            present: (spent: Spend) => ({
              spend_id: spent.spendId,
              amount: formatTokenAmount(spent.amount),
            }),
          },
          (claim) =>
            spend(app, actor, {
              ...hooks,
              claim,
              scope: scopeOf(request),
              walletId,
              projectId: projectId as ProjectId | undefined,
              agentId: agentId === "" ? null : agentId,
              amount,
            }),
        );
      },
    });
}
