-- Lists that the dashboard reads.
create index invoices_listed on invoices (tenant_id, mode, created_at desc, invoice_id desc);
create index payments_of_reference on payments (tenant_id, mode, reference, created_at desc, payment_id desc)
  where reference is not null;

-- The refunds in the activity of a wallet.
create index ledger_refunds_in on ledger_transfers (tenant_id, credit_account_id, created_at desc, transfer_id desc)
  where cause_type = 'refund';
create index ledger_refunds_out on ledger_transfers (tenant_id, debit_account_id, created_at desc, transfer_id desc)
  where cause_type = 'refund';
