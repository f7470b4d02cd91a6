-- Whether the developer got an email about this approval alone. Others are in an email about several.
alter table approvals add column is_emailed boolean not null default true;
create index approvals_emailed on approvals (tenant_id, created_at) where is_emailed;
