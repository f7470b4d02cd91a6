import { Client } from "pg";
import { differencesOf } from "../kills/differences.ts";
import type { PaymentAcknowledgement, Wallet } from "./clients.ts";
import type { Address, LiveChain } from "./live-chain.ts";

interface WalletRow {
  readonly wallet_id: string;
  readonly address: Address;
  readonly onchain_freeze: string;
  readonly posted: string;
  readonly held: string;
}

interface PaymentRow {
  readonly payment_id: string;
  readonly wallet_id: string;
  readonly payee_address: string;
  readonly base_units: string;
  readonly status: string;
  /** How its operation has ended, and when it was last sent. Null if it has none. */
  readonly operation: string | null;
}

/** Reads what the service has stored, with a connection that sees the rows of all tenants. */
export class StoredState {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(superuserUrl: string): Promise<StoredState> {
    const client = new Client({ connectionString: superuserUrl });
    await client.connect();
    return new StoredState(client);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  /** Lets the work that a killed process has claimed, or that has failed, be tried at once. */
  async endLeases(): Promise<void> {
    await this.#client.query("update due_work set due_at = now() where attempts > 0");
  }

  /**
   * Describes everything that is under way, also the network if its blocks up to `block` are not final yet. `withExpiring`: also
   * operations that are not sent any more since their wallet was frozen, and so end when they expire, with their payments.
   */
  async underWay(block: bigint, { withExpiring }: { readonly withExpiring: boolean }): Promise<readonly string[]> {
    const { rows } = await this.#client.query<{ text: string }>(
      `with expiring as (
        select operation.tenant_id, operation_id, payment_id from user_operations operation
          join wallets wallet using (tenant_id, wallet_id)
          where not $2 and operation.ended_at is null and user_op_hash is not null and wallet.epoch <> wallet_epoch)
      select concat_ws(' ', 'payment', payment_id, status) as text from payments
        where status in ('queued', 'signing', 'submitted') and payment_id not in (select payment_id from expiring)
      union all select concat_ws(' ', 'operation', operation_id, wallet_id, 'until', valid_until) from user_operations
        where ended_at is null and operation_id not in (select operation_id from expiring)
      union all select concat_ws(' ', 'transaction', transaction_id, action) from operator_transactions where ended_at is null
      union all select concat_ws(' ', 'deposit', deposit_id) from deposits where status <> 'confirmed'
      union all select concat_ws(' ', 'wallet', wallet_id, status, onchain_freeze) from wallets
        where status = 'unfreezing' or onchain_freeze not in ('not_frozen', 'confirmed')
      union all select concat_ws(' ', 'network at', final_number, 'stopped at', stopped_at) from network_cursors
        where final_number < $1 or stopped_at is not null`,
      [String(block), withExpiring],
    );
    return rows.map(({ text }) => text);
  }

  async wallets(): Promise<readonly WalletRow[]> {
    const { rows } = await this.#client.query<WalletRow>(
      `select wallet_id, address, onchain_freeze, posted, held from wallets
        join ledger_accounts account on account.tenant_id = wallets.tenant_id and subject_id = wallet_id
          and account.mode = wallets.mode and kind = 'wallet' and asset = 'usdc'`,
    );
    return rows;
  }

  async payments(): Promise<readonly PaymentRow[]> {
    const { rows } = await this.#client.query<PaymentRow>(
      `select payments.payment_id, payments.wallet_id, payee_address, base_units, status,
          concat_ws(' ', outcome, chain_epoch, 'block', block_number, 'sent', sent_at, 'ended', ended_at) as operation
        from payments left join user_operations using (tenant_id, payment_id)`,
    );
    return rows;
  }
}

/**
 * Compares what is stored with the chain and with the answers. Returns a description of each difference: a wallet that has another
 * balance, or another freeze, than its account, a payment that no answer is about, or a payee that was not paid, or was paid twice.
 */
export async function findChainDifferences(
  stored: StoredState,
  chain: LiveChain,
  { wallets, payments }: { readonly wallets: readonly Wallet[]; readonly payments: readonly PaymentAcknowledgement[] },
): Promise<string[]> {
  const rows = await stored.wallets();
  const balances = await chain.balances(wallets.map(({ address }) => address));
  const frozen = await Promise.all(wallets.map(({ address }) => chain.isFrozen(address)));
  const made = payments.filter(({ paymentId }) => paymentId !== null);
  const found = await stored.payments();
  const rowOf = new Map(found.map((row) => [row.payment_id, row]));
  const paid = made.filter(({ isOwnWallet }) => !isOwnWallet);
  const received = await chain.balances(paid.map(({ payee }) => payee));
  const statusOf = ({ paymentId }: PaymentAcknowledgement) => rowOf.get(paymentId ?? "")?.status;
  const payeeOf = (each: PaymentAcknowledgement, micros: bigint | undefined) =>
    `${each.paymentId} ${statusOf(each)} ${rowOf.get(each.paymentId ?? "")?.operation}: ${micros}`;
  return [
    ...differencesOf("wallet", {
      found: rows.map((row) => `${row.wallet_id} ${row.posted} held ${row.held} ${row.onchain_freeze}`),
      expected: wallets.map(
        ({ walletId }, index) => `${walletId} ${balances[index]} held 0 ${frozen[index] ? "confirmed" : "not_frozen"}`,
      ),
    }),
    ...differencesOf("payment", {
      found: found.map(
        (row) => `${row.payment_id} ${row.wallet_id} ${row.payee_address.toLowerCase()} ${row.base_units}`,
      ),
      expected: made.map((each) => `${each.paymentId} ${each.walletId} ${each.payee.toLowerCase()} ${each.micros}`),
    }),
    ...differencesOf("payee of", {
      found: paid.map((each, index) => payeeOf(each, received[index])),
      expected: paid.map((each) => payeeOf(each, statusOf(each) === "confirmed" ? each.micros : 0n)),
    }),
  ];
}
