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
