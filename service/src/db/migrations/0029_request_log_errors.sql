-- The code of a request's error, which says why the request was refused. Null if it was not, and for requests that a
-- process without this column has logged.
alter table logged_requests add column error_code text;

-- As before, with the code of the error at the end of a request.
create or replace function purser_log_requests(batches jsonb, kept integer) returns void language plpgsql as $$
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
        created_at, error_code)
      select tenant, logged_key_id, batch ->> 'mode', request ->> 0, request ->> 1, request ->> 2,
        (request -> 3)::integer, (request -> 4)::integer, (request ->> 5)::uuid,
        to_timestamp((request -> 6)::double precision / 1000), request ->> 7
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
