import type { TenantId } from "@purser/service/foundation/ids.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { Client } from "pg";
import { differencesOf } from "../kills/differences.ts";
import type { ConversionAcknowledgement } from "./convert.ts";

const BASE_UNITS_PER_CENT = 10_000;

interface Found {
  readonly conversion_id: string;
  readonly direction: "on_ramp" | "off_ramp";
  readonly status: string;
  readonly transfer_id: string | null;
  readonly source_cents: number;
  readonly fee_cents: number;
  readonly is_executed: boolean;
  readonly was_completed: boolean;
  readonly is_halted: boolean;
  readonly reservation_id: string | null;
}

/** A transfer at Bridge, and what it is about. */
interface BridgeTransfer {
  readonly id: string;
  readonly state: string;
  readonly reference: string;
  readonly amount: string;
  readonly fee: string;
}

export interface ConversionFacts {
  readonly superuserUrl: string;
  readonly sandbox: Sandbox;
  readonly tenantIds: readonly TenantId[];
  readonly acknowledgements: readonly ConversionAcknowledgement[];
}

/**
 * Compares conversions, the ledger and reservations with Bridge's transfers and the acknowledgements of all requests. Returns a
 * description of each difference, also of each conversion that still waits for something other than its dollars.
 */
export async function findConversionDifferences(facts: ConversionFacts): Promise<string[]> {
  const client = new Client({ connectionString: facts.superuserUrl });
  await client.connect();
  try {
    const conversions = await readConversions(client, facts.tenantIds);
    const transfers = await readTransfers(facts.sandbox);
    return [
      ...compareRequests(conversions, facts.acknowledgements),
      ...compareStatuses(conversions, transfers, facts.acknowledgements),
      ...compareTransfers(conversions, transfers),
      ...(await compareMoves(client, conversions)),
      ...(await compareReservations(client, conversions)),
      ...(await findHolds(client)),
    ];
  } finally {
    await client.end();
  }
}

async function readConversions(client: Client, tenantIds: readonly TenantId[]): Promise<readonly Found[]> {
  const { rows } = await client.query<Found>(
    `select conversion_id, direction, status, transfer_id, source_cents::float8, fee_cents::float8, reservation_id,
        executed_at is not null as is_executed, completed_at is not null as was_completed, halted_at is not null as is_halted
      from conversions where tenant_id = any($1)`,
    [tenantIds],
  );
  return rows;
}

async function readTransfers(sandbox: Sandbox): Promise<readonly BridgeTransfer[]> {
  const objects = await sandbox.objects("bridge");
  return objects
    .filter(({ type }) => type === "transfer")
    .map(({ id, state, data }) => {
      const { client_reference_id: reference, amount, developer_fee: fee = "0.00" } = Object(data).body;
      return { id, state, reference, amount, fee };
    });
}

/** Each request that was answered with 200 made one conversion, and no other request made one. */
function compareRequests(
  conversions: readonly Found[],
  acknowledgements: readonly ConversionAcknowledgement[],
): string[] {
  const made = acknowledgements.filter(({ action, code }) => code === null && /ramp|quote/.test(action));
  return differencesOf("conversion", {
    found: conversions.map(({ conversion_id: id }) => id),
    expected: made.map(({ conversionId }) => String(conversionId)),
  });
}

const STATUS_OF: Readonly<Record<string, string>> = {
  payment_processed: "completed",
  refunded: "refunded",
  undeliverable: "undeliverable",
  canceled: "canceled",
  awaiting_funds: "awaiting_funds",
};

/** A conversion has the status of its transfer, and is halted only if Bridge has failed with its tokens. */
function compareStatuses(
  conversions: readonly Found[],
  transfers: readonly BridgeTransfer[],
  acknowledgements: readonly ConversionAcknowledgement[],
): string[] {
  const states = new Map(transfers.map(({ reference, state }) => [reference, state]));
  const cancellations = acknowledgements.filter(({ action }) => action === "cancel");
  const canceled = new Set(cancellations.filter(({ code }) => code === null).map(({ conversionId }) => conversionId));
  // A cancellation that was killed after Bridge had deleted the transfer can find a conversion that is canceled already.
  for (const { conversionId } of cancellations)
    if (states.get(conversionId ?? "") === "canceled") canceled.add(conversionId);
  const expectedOf = (one: Found) => {
    const state = states.get(one.conversion_id);
    if (!canceled.has(one.conversion_id)) return state === undefined ? withoutTransfer(one) : statusAt(state, one);
    return isEnded(state, one) ? "canceled" : `canceled, not ${state}`;
  };
  return differencesOf("status of", {
    found: conversions.map((one) => `${one.conversion_id}: ${statusOf(one)}`),
    expected: conversions.map((one) => `${one.conversion_id}: ${expectedOf(one)}`),
  });
}

function statusOf({ direction, status, is_halted }: Found): string {
  const isCanceledOffRamp = direction === "off_ramp" && status === "canceled";
  return is_halted && !isCanceledOffRamp ? `${status} halted` : status;
}

/**
 * Whether a canceled conversion has no transfer that goes on. The simulator takes the tokens of an off-ramp to be there, so it
 * goes on with the transfer of one that was canceled before it has answered. Bridge gets no tokens for it, and it
 * is halted if its deletion is refused.
 */
function isEnded(state: string | undefined, { direction }: Found): boolean {
  return direction === "off_ramp" || state === undefined || state === "canceled";
}

function withoutTransfer({ is_executed }: Found): string {
  return is_executed ? "a transfer" : "quoted";
}

/** Returns the status of a conversion that its caller has not canceled. An off-ramp does not wait for dollars. */
function statusAt(state: string, { direction, status }: Found): string {
  // A completed conversion is looked at once a day, so a return whose reports were lost is found then.
  if (state === "refunded" && status === "completed") return status;
  const isOnRamp = direction === "on_ramp";
  if (state === "error") return isOnRamp ? "failed" : "failed halted";
  const isWrong = state === "canceled" || (state === "awaiting_funds" && !isOnRamp);
  return isWrong ? `not ${state}` : (STATUS_OF[state] ?? `the end of ${state}`);
}

/** Each transfer belongs to one conversion, with the same amount and fee, unless it is canceled. */
function compareTransfers(conversions: readonly Found[], transfers: readonly BridgeTransfer[]): string[] {
  const textOf = (values: readonly unknown[]) => values.join(" ");
  const known = conversions.filter(({ transfer_id: id }) => id !== null);
  const unknown = (id: string) => !known.some(({ transfer_id }) => transfer_id === id);
  const ended = new Set(
    conversions
      .filter(({ direction, status }) => direction === "off_ramp" && status === "canceled")
      .map(({ conversion_id: id }) => id),
  );
  const live = transfers.filter(
    ({ id, state, reference }) => !unknown(id) || (state !== "canceled" && !ended.has(reference)),
  );
  return differencesOf("transfer", {
    found: live.map(({ id, reference, amount, fee }) => textOf([id, reference, Number(amount), Number(fee)])),
    expected: known.map(({ transfer_id, conversion_id, source_cents, fee_cents }) =>
      textOf([transfer_id, conversion_id, source_cents / 100, fee_cents / 100]),
    ),
  });
}

/** The tokens of each conversion are where its status says, to the base unit. */
async function compareMoves(client: Client, conversions: readonly Found[]): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select concat_ws(' ', cause_id, transfers.kind, debit.kind, credit.kind, amount) as text
      from ledger_transfers as transfers
        join ledger_accounts as debit on debit.account_id = debit_account_id
        join ledger_accounts as credit on credit.account_id = credit_account_id
      where cause_type = 'conversion'`,
  );
  const expected = conversions.flatMap((one) => {
    const cents = one.source_cents - (one.direction === "on_ramp" ? one.fee_cents : 0);
    return movesOf(one).map((move) => `${one.conversion_id} ${move} ${cents * BASE_UNITS_PER_CENT}`);
  });
  return differencesOf("move", { found: rows.map(({ text }) => text), expected });
}

function movesOf({ direction, status, is_executed, was_completed }: Found): readonly string[] {
  if (!is_executed) return [];
  if (direction === "on_ramp") return status === "completed" ? ["direct external wallet"] : [];
  const hold = "hold wallet in_transit";
  if (status === "canceled") return [hold, "void wallet in_transit"];
  const sent = [hold, "post wallet in_transit"];
  const paid = was_completed ? [...sent, "direct in_transit external"] : sent;
  if (status !== "refunded") return paid;
  return [...paid, was_completed ? "direct external wallet" : "direct in_transit wallet"];
}

async function compareReservations(client: Client, conversions: readonly Found[]): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select concat_ws(' ', cause_id, status, committed_micros) as text from budget_reservations
      where cause_type = 'conversion'`,
  );
  const reserved = conversions.filter(({ reservation_id: id }) => id !== null);
  return differencesOf("reservation", {
    found: rows.map(({ text }) => text),
    expected: reserved.map((one) => `${one.conversion_id} ${reservationOf(one)}`),
  });
}

function reservationOf({ direction, status, source_cents }: Found): string {
  if (status === "canceled" || (direction === "on_ramp" && status === "failed")) return "released";
  return status === "awaiting_funds" ? "held" : `committed ${source_cents * BASE_UNITS_PER_CENT}`;
}

/** Every off-ramp has sent its tokens or was canceled, so nothing is held. */
async function findHolds(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ subject_id: string; held: string }>(
    "select subject_id, held from ledger_accounts where held <> 0",
  );
  return rows.map(({ subject_id: subject, held }) => `${subject} still holds ${held}`);
}
