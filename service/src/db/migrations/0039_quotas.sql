-- For the number of a tenant's running operations.
create index operations_running_of_tenant on operations (tenant_id, mode) where status = 'running';

-- Returns whether the wallet has fewer open authorizations than the maximum. Takes a lock until the transaction ends, so that
-- the authorizations of a wallet are counted one after another.
create function purser_can_authorize(authorizing_wallet_id text, at timestamptz, maximum integer) returns boolean
language plpgsql as $$
declare
  tenant constant text := purser_tenant();
begin
  perform pg_advisory_xact_lock(hashtextextended('authorizations ' || tenant || ' ' || authorizing_wallet_id, 0));
  return (
    select count(*) < maximum from (
      select from payments
      where tenant_id = tenant and wallet_id = authorizing_wallet_id and status = 'authorized' and expires_at > at
      limit maximum
    ) as open
  );
end $$;

-- Raises PR001 unless purser_can_authorize returns true.
create function purser_require_authorizable(authorizing_wallet_id text, at timestamptz, maximum integer) returns void
language plpgsql as $$
begin
  if not purser_can_authorize(authorizing_wallet_id, at, maximum) then
    raise exception using errcode = 'PR001';
  end if;
end $$;
