-- When the provider first answered that it does not have the resource. Null while the provider has it.
alter table services add column resource_missing_since timestamptz;
