-- Lists that the dashboard reads.
create index invoices_listed on invoices (tenant_id, mode, created_at desc, invoice_id desc);
