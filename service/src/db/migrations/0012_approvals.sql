-- Questions to a person: may this happen?
create table approvals (
  tenant_id text not null references developers (tenant_id),
  approval_id text not null,
  mode text not null check (mode in ('live', 'test')),
  status text not null check (status in ('pending', 'approved', 'denied', 'expired', 'canceled')),
  subject_type text not null,
  subject_id text not null,
  agent_id uuid,
  summary jsonb not null,
  rules jsonb not null,
  requested_by jsonb not null,
  approvers text[] not null,
  votes jsonb not null default '[]',
  token_hash text not null,
  is_emailed boolean not null default true,
  expires_at timestamptz not null,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, approval_id),
  constraint decided_has_time check ((status = 'pending') = (decided_at is null))
);
create unique index approvals_token on approvals (token_hash, tenant_id);
create index approvals_listed on approvals (tenant_id, mode, created_at desc, approval_id desc);
create index approvals_of_agent on approvals (tenant_id, mode, agent_id, created_at desc, approval_id desc);
create index approvals_of_subject on approvals (tenant_id, subject_type, subject_id);
create index approvals_pending_of_agent on approvals (tenant_id, mode, agent_id) where status = 'pending';
create index approvals_expiring on approvals (expires_at, tenant_id, approval_id) where status = 'pending';
create index approvals_emailed on approvals (tenant_id, created_at) where is_emailed;

call purser_protect(false, 'approvals');
