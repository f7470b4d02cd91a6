-- For readers that look for what was written since their last look, whoever's it is.
create index concurrently events_by_transaction on events (xid);
