-- Every hour, the resources in each linked account are compared with the services.
alter table provider_links add column inventory_checked_at timestamptz;
create index linked_links on provider_links (tenant_id, link_id) where status = 'linked';

-- A person can link the same account of a provider in several tenants, so a resource's service is looked up by its id.
create unique index services_by_id on services (service_id);
