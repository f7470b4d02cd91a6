-- When the provider was first asked in vain for the service's resource. Null while the provider has it.
alter table services add column resource_missing_since timestamptz;
