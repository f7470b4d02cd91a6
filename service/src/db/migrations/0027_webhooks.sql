create table webhooks (
  tenant_id text not null,
  webhook_id text not null,
  mode text not null check (mode in ('live', 'test')),
  url text not null,
  description text,
  -- Types, and beginnings of types with an asterisk.
  event_types text[] not null,
  -- Empty: all.
  project_ids text[] not null,
  agent_ids uuid[] not null,
  enabled boolean not null default true,
  -- Why Purser disabled it. Null if it is enabled, or if the developer disabled it.
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  -- It gets the events since this time.
  starts_at timestamptz not null,
  -- The last event that was read for it: a place in the event log. Older events can come after it, because their
  -- transactions ended later than others.
  read_xid xid8 not null,
  read_event_id text not null,
  -- How many times in a row no delivery has succeeded, and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, webhook_id)
);

-- The secrets with which deliveries are signed: the newest, and the one before it until it expires.
create table webhook_secrets (
  tenant_id text not null,
  webhook_id text not null,
  version integer not null,
  sealed bytea not null,
  expires_at timestamptz,
  primary key (tenant_id, webhook_id, version),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, webhook_id) on delete cascade
);
call purser_keep_data_key('webhook_secrets', 'sealed');

-- The last attempt to deliver an event to a webhook.
create table webhook_deliveries (
  tenant_id text not null,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  subject_type text not null,
  subject_id text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  -- When it is tried next. Null unless it is pending.
  next_attempt_at timestamptz,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer,
  attempted_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, webhook_id, event_id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, webhook_id) on delete cascade
);
create index webhook_deliveries_pending on webhook_deliveries (tenant_id, webhook_id, next_attempt_at)
  where status = 'pending';
create index webhook_deliveries_created on webhook_deliveries (created_at);

call purser_protect(false, 'webhooks', 'webhook_deliveries');
call purser_protect(true, 'webhook_secrets');
