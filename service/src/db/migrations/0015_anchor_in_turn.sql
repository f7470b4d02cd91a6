-- Chains are anchored in the order of their tenants, so that chains that cannot be anchored do not keep others waiting.
drop index audit_heads_unanchored;
create index audit_heads_unanchored on audit_heads (tenant_id, chain) where sequence > anchored_sequence;
