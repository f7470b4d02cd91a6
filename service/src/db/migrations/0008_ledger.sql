-- An account of one token. Accounts of the kinds `wallet`, `bank` and `in_transit` keep a balance in base units.
-- Accounts of the kinds `external`, `faucet` and `fees` are clearing accounts: they keep no balance and are never
-- locked, because all payments of a tenant would wait for the same row. Their balance is the sum of their transfers.
create table ledger_accounts (
  tenant_id text not null,
  account_id text not null,
  mode text not null check (mode in ('live', 'test')),
  kind text not null check (kind in ('wallet', 'bank', 'in_transit', 'external', 'faucet', 'fees')),
  subject_type text not null,
  subject_id text not null,
  asset text not null,
  posted numeric(38, 0) not null default 0,
  held numeric(38, 0) not null default 0,
  -- Set while the wallet is frozen. `full` refuses incoming transfers too.
  frozen text check (frozen in ('outgoing_only', 'full')),
  -- Whether the agent is suspended, revoked or expired.
  stopped boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, account_id),
  -- The tenant is not the first column, so that the planner does not use this index to look up an account by its id.
  constraint ledger_account_once unique (subject_id, tenant_id, mode, subject_type, kind, asset),
  constraint ledger_held_is_available check (held >= 0 and held <= posted),
  constraint ledger_clearing_keeps_nothing check (
    kind in ('wallet', 'bank', 'in_transit') or (posted = 0 and held = 0 and frozen is null and not stopped))
);

-- The accounts are not foreign keys: the check of the key would lock the row of a clearing account for every payment.
-- purser_ledger_move reads both accounts, and the ledger check finds a transfer without its accounts.
create table ledger_transfers (
  tenant_id text not null,
  transfer_id text not null,
  mode text not null,
  asset text not null,
  debit_account_id text not null,
  credit_account_id text not null,
  -- For a void, the amount of the hold.
  amount numeric(38, 0) not null check (amount > 0),
  kind text not null check (kind in ('direct', 'hold', 'post', 'void')),
  -- The hold that this post or void resolves.
  pending_id text,
  cause_type text not null,
  cause_id text not null,
  created_at timestamptz not null,
  -- The ledger check reads the transfers in the order of their transactions, because ids are assigned before the
  -- commit.
  xid xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, transfer_id),
  constraint ledger_transfer_resolves check ((kind in ('post', 'void')) = (pending_id is not null))
);
create unique index ledger_hold_resolved_once on ledger_transfers (tenant_id, pending_id) where pending_id is not null;
-- Only the ledger check names this collation. With the default collation, the planner would also use this index to look
-- up a transfer by its id, if it planned the query while the table was small.
create index ledger_transfers_by_transaction on ledger_transfers (tenant_id collate "C", xid, transfer_id);

-- When each tenant's balances were last checked. The snapshot shows which transfers that check has counted.
create table money_checks (
  tenant_id text primary key,
  checked_at timestamptz not null,
  counted_in pg_snapshot
);
create index money_checks_oldest on money_checks (checked_at, tenant_id);

-- The sums of the transfers that the last check has counted. Mode and asset are those of the transfers.
create table ledger_checked_sums (
  tenant_id text not null,
  account_id text not null,
  mode text not null,
  asset text not null,
  posted numeric(50, 0) not null,
  held numeric(50, 0) not null,
  primary key (tenant_id, account_id, mode, asset)
);

-- Moves tokens, or holds them, or resolves a hold, in the tenant of the transaction. Returns the outcome `done`, or the
-- reason of a refusal, which has changed nothing. So the caller can store the refusal in the same transaction.
--
-- A move that `ignores_freeze` is not refused because of a freeze or a stopped agent: it has already happened outside,
-- for example on the chain. A void is never refused for these reasons.
create function purser_ledger_move(
  move_kind text, new_transfer_id text, move_mode text,
  -- Null for a void.
  move_asset text, move_amount numeric,
  -- Null for a post and a void, which use the accounts of their hold.
  debit_id text, credit_id text,
  -- The hold. Null for a direct transfer and a hold.
  hold_id text,
  ignores_freeze boolean, move_cause_type text, move_cause_id text, moved_at timestamptz,
  out outcome text,
  -- The account that is the reason of the refusal, if one is.
  out refused_account_id text,
  -- For `insufficient_funds`, what the account can spend; for `exceeds_hold`, the amount of the hold.
  out available numeric
) language plpgsql volatile as $$
declare
  amount_max constant numeric := 1e38 - 1;
  tenant constant text := purser_tenant();
  is_resolution constant boolean := move_kind in ('post', 'void');
  is_posted constant boolean := move_kind in ('direct', 'post');
  hold ledger_transfers;
  account ledger_accounts;
  debit ledger_accounts;
  credit ledger_accounts;
  debit_is_kept boolean;
  credit_is_kept boolean;
begin
  if is_resolution then
    select * into hold from ledger_transfers
      where tenant_id = tenant and transfer_id = hold_id and kind = 'hold' and mode = move_mode
        and (asset = move_asset or move_kind = 'void');
    if not found then
      outcome := 'hold_not_found';
      return;
    end if;
    debit_id := hold.debit_account_id;
    credit_id := hold.credit_account_id;
    move_asset := hold.asset;
    if move_kind = 'void' then move_amount := hold.amount; end if;
  end if;
  -- The comparison is false for NaN, which is greater than any other number.
  if not coalesce(move_amount >= 1 and move_amount <= amount_max and move_amount = trunc(move_amount), false) then
    outcome := 'amount_out_of_range';
    return;
  end if;
  if debit_id = credit_id then
    outcome := 'same_account';
    refused_account_id := debit_id;
    return;
  end if;

  -- Every function that locks several accounts does so in the order of their ids, so that no two wait for each other.
  for account in
    select * from ledger_accounts
      where tenant_id = tenant and account_id in (debit_id, credit_id) and kind in ('wallet', 'bank', 'in_transit')
      order by account_id for no key update
  loop
    if account.account_id = debit_id then debit := account; else credit := account; end if;
  end loop;
  debit_is_kept := debit.account_id is not null;
  credit_is_kept := credit.account_id is not null;
  if not debit_is_kept and move_kind = 'direct' then
    select * into debit from ledger_accounts
      where tenant_id = tenant and account_id = debit_id and kind in ('external', 'faucet', 'fees');
  end if;
  -- A hold was made between two accounts that were found then.
  if not credit_is_kept and not is_resolution then
    select * into credit from ledger_accounts
      where tenant_id = tenant and account_id = credit_id and kind in ('external', 'faucet', 'fees');
  end if;
  if (debit.mode = move_mode and debit.asset = move_asset) is not true then
    outcome := 'account_not_found';
    refused_account_id := debit_id;
    return;
  end if;
  if not is_resolution and (credit.mode = move_mode and credit.asset = move_asset) is not true then
    outcome := 'account_not_found';
    refused_account_id := credit_id;
    return;
  end if;

  -- Holds are resolved under the lock of their debit account, so this query finds every committed resolution.
  if is_resolution and exists (
    select from ledger_transfers where tenant_id = tenant and pending_id = hold_id
  ) then
    outcome := 'already_resolved';
    return;
  end if;
  if is_resolution and move_amount > hold.amount then
    outcome := 'exceeds_hold';
    available := hold.amount;
    return;
  end if;

  if move_kind <> 'void' and not ignores_freeze then
    if debit.frozen is not null or credit.frozen = 'full' then
      outcome := 'wallet_frozen';
      refused_account_id := case when debit.frozen is not null then debit_id else credit_id end;
      return;
    end if;
    if debit.stopped then
      outcome := 'agent_stopped';
      refused_account_id := debit_id;
      return;
    end if;
  end if;
  if debit_is_kept and not is_resolution and debit.posted - debit.held < move_amount then
    outcome := 'insufficient_funds';
    refused_account_id := debit_id;
    available := debit.posted - debit.held;
    return;
  end if;
  if credit_is_kept and is_posted and credit.posted > amount_max - move_amount then
    outcome := 'amount_out_of_range';
    refused_account_id := credit_id;
    return;
  end if;

  if debit_is_kept then
    update ledger_accounts set
        posted = posted - case when is_posted then move_amount else 0 end,
        held = held + case move_kind when 'hold' then move_amount when 'direct' then 0 else -hold.amount end
      where tenant_id = tenant and account_id = debit_id;
  end if;
  if credit_is_kept and is_posted then
    update ledger_accounts set posted = posted + move_amount where tenant_id = tenant and account_id = credit_id;
  end if;
  insert into ledger_transfers (tenant_id, transfer_id, mode, asset, debit_account_id, credit_account_id, amount, kind,
      pending_id, cause_type, cause_id, created_at)
    values (tenant, new_transfer_id, move_mode, move_asset, debit_id, credit_id, move_amount, move_kind,
      hold_id, move_cause_type, move_cause_id, moved_at);
  outcome := 'done';
end $$;

call purser_protect(false, 'ledger_accounts', 'ledger_transfers', 'money_checks', 'ledger_checked_sums');
call purser_append_only('ledger_transfers');
