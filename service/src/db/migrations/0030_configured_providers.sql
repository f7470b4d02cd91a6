-- The last valid catalog entry of each provider that is configured, so that its offers are known while it is down.
create table provider_catalogs (
  provider text primary key check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  entry jsonb not null,
  read_at timestamptz not null
);
grant select, insert, update on provider_catalogs to purser_service;
