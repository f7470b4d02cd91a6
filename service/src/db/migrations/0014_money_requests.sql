-- The signatures of requests that move money, until they are too old to be sent again.
create table request_signatures (
  tenant_id text not null,
  -- SHA-256 of the signature.
  signature_hash text not null,
  -- The key of the first request with this signature. Null if that request had none.
  idempotency_key uuid,
  expires_at timestamptz not null,
  primary key (tenant_id, signature_hash)
);
create index request_signatures_expired on request_signatures (expires_at);
call purser_protect('request_signatures', false);

-- Claims the idempotency key and the signature of a request that moves money; each of them can be null. Waits for another
-- transaction that has claimed the same key or signature. Every statement sees what that transaction has committed.
--
-- The outcome is `new`; or `taken`, with the record of the first request that had the key; or `replayed`, if the signature
-- was used before with another key or none. After `replayed` the caller must roll back. If a request was rolled back, its
-- signature is stored without a record, and the same key is `new` again: at most one request of a key has an effect.
create function purser_claim_money_request(
  claim_tenant_id text, claim_mode text, claim_method text, claim_route text, claim_key uuid, claim_fingerprint text,
  claim_agent_ids text[], claim_expires_at timestamptz, claim_signature_hash text, claim_signature_expires_at timestamptz,
  claimed_at timestamptz
) returns jsonb language plpgsql as $$
declare
  stored jsonb;
begin
  if claim_key is not null then
    insert into idempotency_records as earlier (tenant_id, mode, method, route, idempotency_key, fingerprint, state,
        lease_expires_at, agent_ids, created_at, expires_at)
      values (claim_tenant_id, claim_mode, claim_method, claim_route, claim_key, claim_fingerprint, 'in_flight',
        claimed_at, claim_agent_ids, claimed_at, claim_expires_at)
      on conflict (tenant_id, mode, method, route, idempotency_key) do update set
        fingerprint = excluded.fingerprint, state = excluded.state, lease_expires_at = excluded.lease_expires_at,
        answer_status = null, answer_body = null, agent_ids = excluded.agent_ids, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      where earlier.expires_at <= claimed_at;
    if not found then
      select jsonb_build_object('fingerprint', fingerprint, 'agentIds', agent_ids, 'state', state,
          'answerStatus', answer_status, 'answerBody', answer_body)
        into strict stored from idempotency_records
        where tenant_id = claim_tenant_id and mode = claim_mode and method = claim_method and route = claim_route
          and idempotency_key = claim_key;
    end if;
  end if;
  if claim_signature_hash is not null then
    insert into request_signatures (tenant_id, signature_hash, idempotency_key, expires_at)
      values (claim_tenant_id, claim_signature_hash, claim_key, claim_signature_expires_at)
      on conflict do nothing;
    if not found and not exists (
      select from request_signatures
        where tenant_id = claim_tenant_id and signature_hash = claim_signature_hash and idempotency_key = claim_key
    ) then
      return jsonb_build_object('outcome', 'replayed');
    end if;
  end if;
  return jsonb_build_object('outcome', case when stored is null then 'new' else 'taken' end, 'record', stored);
end $$;

-- Reserves an amount in budgets and moves tokens, or does neither. A direct move commits the reservation; after a hold it
-- stays reserved. Locks the budgets before the accounts. Returns the result of purser_reserve_budgets as `reserved` (null
-- without budgets), and that of purser_ledger_move as `moved` (null if nothing was reserved).
--
-- If the move is refused, the exception block undoes the reservation, its alerts and new budgets. If a month is not open,
-- it releases the locks of the budgets, because the caller must lock the project before them. The block takes 6 percent
-- of the call's time. Checking everything before the first write would repeat the conditions of both functions.
create function purser_spend(
  spend_mode text, spend_cause_type text, spend_cause_id text, spent_at timestamptz,
  new_reservation_id text, reserved_amount numeric, budget_lines jsonb,
  -- Selects the periods of the budgets.
  reserved_at timestamptz,
  -- `direct` or `hold`.
  move_kind text, new_transfer_id text, move_asset text, move_amount numeric, debit_id text, credit_id text
) returns jsonb language plpgsql as $$
declare
  has_budgets constant boolean := budget_lines <> '[]';
  reserved jsonb;
  moved record;
  moved_result jsonb;
begin
  begin
    if has_budgets then
      reserved := purser_reserve_budgets(new_reservation_id, spend_mode, spend_cause_type, spend_cause_id,
        reserved_amount, reserved_at, spent_at, budget_lines, false);
      if reserved ->> 'outcome' = 'refused' then
        return jsonb_build_object('reserved', reserved);
      elsif reserved ->> 'outcome' = 'not_opened' then
        raise exception using errcode = 'PR001';
      end if;
    end if;
    select * into moved from purser_ledger_move(move_kind, new_transfer_id, spend_mode, move_asset, move_amount,
      debit_id, credit_id, null, false, spend_cause_type, spend_cause_id, spent_at);
    moved_result := jsonb_build_object('outcome', moved.outcome, 'refusedAccountId', moved.refused_account_id,
      'available', moved.available::text);
    if moved.outcome <> 'done' then
      raise exception using errcode = 'PR001';
    end if;
    if has_budgets and move_kind = 'direct' then
      perform purser_settle_reservation(new_reservation_id, reserved_amount, spent_at);
    end if;
  exception when sqlstate 'PR001' then
    null;
  end;
  return jsonb_build_object('reserved', reserved, 'moved', moved_result);
end $$;
