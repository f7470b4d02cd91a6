-- The requests that were authenticated with API keys, without what they contained. Their ids are in the order of time.
create table logged_requests (
  tenant_id text not null,
  request_id text not null,
  key_id text not null,
  mode text not null check (mode in ('live', 'test')),
  method text not null,
  -- The path with the names of its parameters instead of their values.
  path text not null,
  status integer not null,
  duration_ms integer not null,
  -- What was in `X-Agent-ID`.
  agent_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, request_id)
);
create index logged_requests_of_key on logged_requests (tenant_id, key_id, request_id desc);

call purser_protect(false, 'logged_requests');

-- Stores the requests of several keys in one statement, so that a process has one commit a second and not one for each
-- tenant. Sets the tenant before the rows of a key are written. `batches` is an array of objects with `tenantId`, `keyId`,
-- `mode`, `requests`, and `isTrimmed`: whether only the newest `kept` requests of the key are kept. A request is an array of
-- id, method, path, status, milliseconds, agent, and the time in milliseconds. Two processes that trim the same key do not
-- wait for each other.
create function purser_log_requests(batches jsonb, kept integer) returns void language plpgsql as $$
declare
  batch jsonb;
  tenant text;
  logged_key_id text;
  last_request_id text;
begin
  for batch in select jsonb_array_elements(batches) loop
    tenant := set_config('purser.tenant_id', batch ->> 'tenantId', true);
    logged_key_id := batch ->> 'keyId';
    insert into logged_requests (tenant_id, key_id, mode, request_id, method, path, status, duration_ms, agent_id,
        created_at)
      select tenant, logged_key_id, batch ->> 'mode', request ->> 0, request ->> 1, request ->> 2,
        (request -> 3)::integer, (request -> 4)::integer, (request ->> 5)::uuid,
        to_timestamp((request -> 6)::double precision / 1000)
      from jsonb_array_elements(batch -> 'requests') as request;
    continue when not (batch -> 'isTrimmed')::boolean;
    -- In a variable, so that it is found once and not for each row.
    select request_id into last_request_id from logged_requests
      where tenant_id = tenant and key_id = logged_key_id order by request_id desc offset kept limit 1;
    delete from logged_requests where ctid = any(array(
      select ctid from logged_requests
      where tenant_id = tenant and key_id = logged_key_id and request_id <= last_request_id
      for update skip locked));
  end loop;
end $$;
