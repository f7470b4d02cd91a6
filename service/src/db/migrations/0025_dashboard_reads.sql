-- Lists that the dashboard reads.
create index invoices_listed on invoices (tenant_id, mode, created_at desc, invoice_id desc);
create index payments_of_reference on payments (tenant_id, mode, reference, created_at desc, payment_id desc)
  where reference is not null;
