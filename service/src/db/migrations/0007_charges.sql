-- A project's customer at the payment processor.
create table project_billing (
  tenant_id text not null,
  project_id text not null,
  customer_id text not null,
  status text not null check (status in ('requires_payment_method', 'requires_action', 'ready', 'past_due')),
  payment_method_id text,
  payment_method jsonb,
  setup_intent_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
create index billing_of_setup on project_billing (setup_intent_id) where setup_intent_id is not null;
create index billing_of_payment_method on project_billing (payment_method_id) where payment_method_id is not null;

-- What was or will be paid for a service in one month, or until it was removed. Reserved before it is spent.
create table charges (
  tenant_id text not null,
  charge_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  service_id text,
  provider text,
  -- Null for a refund. A reserved charge keeps its plan when the service's plan changes.
  plan text,
  type text not null check (type in ('subscription', 'usage', 'one_time', 'refund', 'adjustment')),
  description text not null,
  amount_cents numeric(20, 0) not null,
  currency text not null check (currency in ('usd')),
  status text not null
    check (status in ('reserved', 'pending', 'succeeded', 'failed', 'released', 'refunded', 'disputed')),
  billed_by text not null default 'vendor' check (billed_by in ('vendor', 'purser')),
  estimated boolean not null default false,
  period_start timestamptz not null,
  period_end timestamptz not null,
  reservation_id text,
  invoice_id text,
  agent_id text,
  payment_id text,
  occurred_at timestamptz not null,
  primary key (tenant_id, charge_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
create index charges_of_project on charges (tenant_id, project_id, occurred_at desc, charge_id desc);
create index charges_of_month on charges (tenant_id, project_id, period_start, occurred_at desc, charge_id desc);
create index charges_to_settle on charges (period_end, tenant_id, charge_id) where status = 'reserved';
-- Each service is reserved once a month. A released charge can be replaced by that of another plan.
create unique index charge_of_service_month on charges (tenant_id, service_id, period_start)
  where type in ('subscription', 'usage') and status <> 'released';
create index charges_to_invoice on charges (tenant_id, project_id, period_start)
  where status = 'pending' and invoice_id is null;
create index charges_of_invoice on charges (tenant_id, invoice_id) where invoice_id is not null;
create index refunds_of_payment on charges (tenant_id, project_id, payment_id) where type = 'refund';

-- What Purser bills a project for one month, at the payment processor.
create table invoices (
  tenant_id text not null,
  invoice_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  period_start timestamptz not null,
  -- The sum of the invoice's charges. The processor is asked for exactly this.
  amount_cents numeric(20, 0) not null check (amount_cents > 0),
  customer_id text not null,
  processor_invoice_id text,
  status text not null check (status in ('preparing', 'open', 'paid', 'void', 'uncollectible')),
  past_due boolean not null default false,
  tried_billing_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id),
  constraint preparing_is_not_owed check ((status = 'preparing') = (processor_invoice_id is null))
);
create index invoices_of_project on invoices (tenant_id, project_id);
create index invoices_to_settle on invoices (tenant_id, invoice_id)
  where status in ('preparing', 'open', 'uncollectible');
create index invoices_paid on invoices (updated_at) where status = 'paid';
-- For events of the processor, whose tenant is not known.
create index invoices_at_processor on invoices (processor_invoice_id) where processor_invoice_id is not null;
create index invoices_of_customer on invoices (customer_id);

call purser_protect(false, 'project_billing', 'charges', 'invoices');
