-- A client whose answer to a refresh was lost may use the old token again (docs/api.md, section 16.2).
alter table refresh_tokens
  -- The token that this one replaced.
  add column replaces_hash text,
  -- When the token was first used: for a refresh, or the access token issued with it for a request. A token that is
  -- rotated but was never used was replaced by another successor.
  add column used_at timestamptz;
