-- Kill switches: each stops what an agent, a project or a developer can do with money and secrets.
create table kill_switches (
  tenant_id text not null references developers (tenant_id),
  kill_switch_id text not null,
  mode text not null check (mode in ('live', 'test')),
  scope text not null check (scope in ('agent', 'project', 'developer')),
  target_id text not null,
  reason text not null,
  onchain boolean not null,
  rotate_env boolean not null,
  status text not null check (status in ('running', 'completed', 'blocked_pending')),
  run integer not null default 1,
  triggered_by jsonb not null,
  actor jsonb not null,
  key_id text,
  request_id text,
  created_at timestamptz not null,
  completed_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, kill_switch_id)
);
create unique index kill_switch_running on kill_switches (tenant_id, mode, scope, target_id) where status = 'running';
create index kill_switches_listed on kill_switches (tenant_id, mode, created_at desc, kill_switch_id desc);
create index kill_switches_continued on kill_switches (updated_at, tenant_id, kill_switch_id) where status = 'running';
create index kill_switches_of_key on kill_switches (tenant_id, key_id, created_at) where key_id is not null;

-- What each kill switch did to each target.
create table kill_switch_targets (
  tenant_id text not null,
  kill_switch_id text not null,
  target_type text not null,
  target_id text not null,
  outcome text not null check (outcome in ('killed', 'already_dead', 'blocked_pending', 'failed')),
  onchain text check (onchain in ('simulated', 'blocked_pending')),
  detail text,
  run integer not null,
  primary key (tenant_id, kill_switch_id, target_type, target_id),
  foreign key (tenant_id, kill_switch_id) references kill_switches (tenant_id, kill_switch_id)
);

call purser_protect(false, 'kill_switches', 'kill_switch_targets');
