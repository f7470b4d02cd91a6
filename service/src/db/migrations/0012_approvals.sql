-- Questions to a person: may this happen?
create table approvals (
  tenant_id text not null references developers (tenant_id),
  approval_id text not null,
  mode text not null check (mode in ('live', 'test')),
  status text not null check (status in ('pending', 'approved', 'denied', 'expired', 'canceled')),
  -- What waits for the decision.
  subject_type text not null,
  subject_id text not null,
  -- The agent that asked. Null if the developer did.
  agent_id uuid,
  -- Title, amount, payee, reason, line items and risk flags, as in the API.
  summary jsonb not null,
  -- The rules that asked, which count as satisfied after the approval: policy_id, policy_version and rule_id each.
  rules jsonb not null,
  requested_by jsonb not null,
  approvers text[] not null,
  -- Who decided, what, when and how.
  votes jsonb not null default '[]',
  -- Lowercase hexadecimal SHA-256 of the token in the emailed URL.
  token_hash text not null,
  -- Whether the developer got an email about this approval alone. Others are in an email about several.
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
call purser_protect('approvals', false);
