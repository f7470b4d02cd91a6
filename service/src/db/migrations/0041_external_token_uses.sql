-- The tokens of other issuers about agents that were accepted, until they expire. Each is accepted once.
create table external_token_uses (
  tenant_id text not null,
  -- SHA-256 of the token's issuer and `jti`.
  token_hash text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, token_hash)
);
call purser_protect('external_token_uses', false);
