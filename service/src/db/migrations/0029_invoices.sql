-- Charges that Purser bills are `pending` from their settlement until their invoice is paid. The triggers for processes of
-- the version before budgets would change that.
drop trigger charge_of_version_before on charges;
drop trigger change_of_version_before on charges;
drop function purser_charge_of_version_before;

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
  -- Null until the processor has an invoice that the customer owes.
  processor_invoice_id text,
  status text not null check (status in ('preparing', 'open', 'paid', 'void', 'uncollectible')),
  -- Whether a payment was declined and the amount is still owed.
  past_due boolean not null default false,
  -- When the project's payment method had last changed before the last attempt to pay. Null before the first attempt.
  tried_billing_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id),
  constraint preparing_is_not_owed check ((status = 'preparing') = (processor_invoice_id is null))
);
call purser_protect('invoices', false);
create index invoices_of_project on invoices (tenant_id, project_id);
create index invoices_to_settle on invoices (tenant_id, invoice_id) where status in ('preparing', 'open', 'uncollectible');
create index invoices_paid on invoices (updated_at) where status = 'paid';
-- For events of the processor, whose tenant is not known.
create index invoices_at_processor on invoices (processor_invoice_id) where processor_invoice_id is not null;
create index invoices_of_customer on invoices (customer_id);
create index billing_of_setup on project_billing (setup_intent_id) where setup_intent_id is not null;
create index billing_of_payment_method on project_billing (payment_method_id) where payment_method_id is not null;

alter table charges add column invoice_id text;
-- A refund can be for services of several providers.
alter table charges alter column provider drop not null;
create index charges_to_invoice on charges (tenant_id, project_id, period_start)
  where status = 'pending' and invoice_id is null;
create index charges_of_invoice on charges (tenant_id, invoice_id) where invoice_id is not null;
create index refunds_of_payment on charges (tenant_id, project_id, payment_id) where type = 'refund';
