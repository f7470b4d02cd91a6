import type { TenantId } from "@purser/service/foundation/ids.ts";
import { Client } from "pg";
import { differencesOf } from "../kills/differences.ts";
import type { PaymentAcknowledgement } from "./pay.ts";

/**
 * Compares the database with the acknowledgements of all requests. Returns a description of each difference: a payment, a
 * transfer, a reservation or an answer that is missing, doubled or not acknowledged, money that appeared or disappeared,
 * and whatever still waits.
 */
export async function findPaymentDifferences({
  superuserUrl,
  tenantIds,
  acknowledgements,
}: {
  readonly superuserUrl: string;
  readonly tenantIds: readonly TenantId[];
  readonly acknowledgements: readonly PaymentAcknowledgement[];
}): Promise<string[]> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    // Without statistics, the planner joins the many rows one by one.
    await client.query("analyze");
    const histories = historiesOf(acknowledgements);
    return [
      ...(await comparePayments(client, histories)),
      ...(await compareTransfers(client, acknowledgements)),
      ...(await compareReservations(client, histories)),
      ...(await compareAnswers(client, acknowledgements)),
      ...(await compareBalances(client, acknowledgements)),
      ...(await findWaiting(client, tenantIds)),
    ];
  } finally {
    await client.end();
  }
}

/** What the acknowledgements say about one payment. */
interface History {
  readonly paymentId: string;
  readonly status: string;
  readonly paid: number;
  readonly refunded: number;
}

function historiesOf(acknowledgements: readonly PaymentAcknowledgement[]): readonly History[] {
  const byPayment = Map.groupBy(
    acknowledgements.filter(({ status }) => status === 200),
    ({ paymentId }) => paymentId ?? "",
  );
  return [...byPayment].map(([paymentId, changes]) => {
    const sumOf = (...actions: readonly string[]) =>
      changes.filter(({ action }) => actions.includes(action)).reduce((sum, { micros }) => sum + micros, 0);
    const paid = sumOf("send", "capture");
    const refunded = sumOf("refund");
    const last = changes.find(({ action }) => ["send", "capture", "void", "cancel"].includes(action));
    const status = STATUS_AFTER[last?.action ?? "authorize"] ?? "authorized";
    const isWhole = refunded === paid;
    return {
      ...{ paymentId, paid, refunded },
      status: refunded === 0 ? status : isWhole ? "refunded" : "partially_refunded",
    };
  });
}

const STATUS_AFTER: Readonly<Record<string, string>> = {
  send: "confirmed",
  capture: "captured",
  void: "voided",
  cancel: "canceled",
};

async function comparePayments(client: Client, histories: readonly History[]): Promise<string[]> {
  const found = await textsOf(
    client,
    `select concat_ws(' ', payment_id, status, coalesce(paid_base_units, 0), refunded_base_units) as text from payments`,
  );
  const expected = histories.map(({ paymentId, status, paid, refunded }) =>
    [paymentId, status, paid, refunded].join(" "),
  );
  return differencesOf("payment", { found, expected });
}

async function compareTransfers(
  client: Client,
  acknowledgements: readonly PaymentAcknowledgement[],
): Promise<string[]> {
  const found = await textsOf(
    client,
    `select concat_ws(' ', cause_id, cause_type, kind, case when kind <> 'void' then amount end) as text
      from ledger_transfers where cause_type in ('payment', 'refund')`,
  );
  const expected = acknowledgements
    .filter(({ status }) => status === 200)
    .map(({ paymentId, action, micros }) => [paymentId, ...transferOf(action, micros)].join(" "));
  return differencesOf("transfer", { found, expected });
}

function transferOf(action: PaymentAcknowledgement["action"], micros: number) {
  switch (action) {
    case "send":
      return ["payment", "direct", micros];
    case "authorize":
      return ["payment", "hold", micros];
    case "capture":
      return ["payment", "post", micros];
    case "refund":
      return ["refund", "direct", micros];
    default:
      return ["payment", "void"];
  }
}

async function compareReservations(client: Client, histories: readonly History[]): Promise<string[]> {
  const found = await textsOf(
    client,
    `select concat_ws(' ', cause_id, status, committed_micros) as text from budget_reservations
      where cause_type = 'payment'`,
  );
  const expected = histories.map(({ paymentId, paid }) =>
    [paymentId, ...(paid === 0 ? ["released"] : ["committed", paid])].join(" "),
  );
  return differencesOf("reservation", { found, expected });
}

/** Compares the acknowledged answers with the stored ones. */
async function compareAnswers(client: Client, acknowledgements: readonly PaymentAcknowledgement[]): Promise<string[]> {
  const found = await textsOf(
    client,
    `select concat_ws(' ', idempotency_key, answer_status, coalesce(answer_body::json ->> 'code', answer_body::json ->> 'payment_id'))
       as text from idempotency_records where route like '%/payments/%'`,
  );
  const isStored = ({ action, status }: PaymentAcknowledgement) => action !== "cancel" || status === 200;
  const expected = acknowledgements
    .filter(isStored)
    .map(({ idempotencyKey, status, code, paymentId }) => [idempotencyKey, status, code ?? paymentId].join(" "));
  return differencesOf("answer", { found, expected });
}

/** Compares the balance of each wallet with its fundings and the acknowledged payments. */
async function compareBalances(client: Client, acknowledgements: readonly PaymentAcknowledgement[]): Promise<string[]> {
  const balances = new Map<string, number>();
  const add = (walletId: string | null, micros: number) => {
    if (walletId !== null) balances.set(walletId, (balances.get(walletId) ?? 0) + micros);
  };
  const { rows } = await client.query<{ wallet_id: string; amount: string }>(
    "select wallet_id, base_units::text as amount from wallet_fundings",
  );
  for (const { wallet_id, amount } of rows) add(wallet_id, Number(amount));
  for (const { status, action, walletId, payeeWalletId, micros } of acknowledgements) {
    if (status !== 200 || !["send", "capture", "refund"].includes(action)) continue;
    const paid = action === "refund" ? -micros : micros;
    add(walletId, -paid);
    add(payeeWalletId, paid);
  }
  const found = await textsOf(
    client,
    `select concat_ws(' ', subject_id, posted, held) as text from ledger_accounts
      where kind = 'wallet' and asset = 'usdc'`,
  );
  const expected = [...balances].map(([walletId, micros]) => [walletId, micros, 0].join(" "));
  return differencesOf("balance", { found, expected });
}

/** Returns what still waits, although every request has been answered. */
async function findWaiting(client: Client, tenantIds: readonly TenantId[]): Promise<string[]> {
  const { rows } = await client.query<Record<string, number>>(
    `select
      (select count(*)::integer from payments where status in ('authorized', 'requires_approval')) as payments,
      (select count(*)::integer from budget_reservations
        where status = 'held' and cause_type = 'payment') as reservations,
      (select count(*)::integer from ledger_accounts where held <> 0) as accounts_with_holds,
      (select count(*)::integer from idempotency_records where tenant_id = any($1) and state = 'in_flight') as requests`,
    [tenantIds],
  );
  return Object.entries(rows[0] ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `waiting ${name}: ${count}`);
}

async function textsOf(client: Client, statement: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(statement);
  return rows.map(({ text }) => text);
}
