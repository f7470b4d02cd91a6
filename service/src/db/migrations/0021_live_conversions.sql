-- The first block that a chain can have replaced before its network was resumed. What was signed before can be in it.
alter table network_cursors add column resumed_from bigint;

-- Where the tokens of a live off-ramp are sent. The ramp vendor names it with its transfer.
alter table conversions add column deposit_address text;

-- The operation that sends the tokens of an off-ramp.
alter table user_operations add column conversion_id text;
alter table user_operations add foreign key (tenant_id, conversion_id) references conversions (tenant_id, conversion_id);
-- An off-ramp has one operation. It is never signed again.
create unique index user_operations_conversions on user_operations (tenant_id, conversion_id);
-- Off-ramps whose tokens wait to be sent.
create index conversions_unsent on conversions (tenant_id, wallet_id, conversion_id)
  where deposit_address is not null and ledger_transfer_id is null;
-- A deposit completes one on-ramp.
create unique index conversions_by_credit on conversions (tenant_id, ledger_transfer_id)
  where ledger_transfer_id is not null and direction = 'on_ramp';
-- The deposit that returned the tokens of an off-ramp. It returns one.
alter table conversions add column refund_deposit_id text;
create unique index conversions_by_refund on conversions (tenant_id, refund_deposit_id) where refund_deposit_id is not null;
