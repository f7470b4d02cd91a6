/** The values of a row as SQL texts. */
type SqlValues = Readonly<Record<string, string>>;

/** Returns a payment that waits for an approval. `tenant` and `expiresAt` are SQL texts. */
export function waitingPayment(tenant: string, expiresAt: string): SqlValues {
  return {
    tenant_id: tenant,
    payment_id: "'pay_' || n",
    mode: "'test'",
    agent_id: "gen_random_uuid()",
    wallet_id: "'wal_' || n",
    network: "'base'",
    asset: "'usdc'",
    base_units: "1",
    payee: `'{"type": "address", "value": "0x1"}'`,
    payee_address: "'0x1'",
    debit_account_id: "'lac_1'",
    credit_account_id: "'lac_2'",
    status: "'requires_approval'",
    execution: "'auto'",
    decision: "'{}'",
    expires_at: expiresAt,
    created_at: expiresAt,
    updated_at: expiresAt,
  };
}

/** Returns the wallet of `waitingPayment`, which is frozen. */
export function frozenWallet(tenant: string): SqlValues {
  return {
    tenant_id: tenant,
    wallet_id: "'wal_' || n",
    mode: "'test'",
    agent_id: "gen_random_uuid()",
    network: "'base'",
    address: "n",
    account_type: "'erc4337_v0.8'",
    entry_point: "'0x1'",
    factory: "'0x1'",
    init_code_hash: "'0x1'",
    salt: "'0'",
    owner: "'0x1'",
    deployment_status: "'counterfactual'",
    status: "'frozen'",
    freeze_mode: "'full'",
    freeze_source: "'developer'",
    frozen_at: "now()",
    created_at: "now()",
    updated_at: "now()",
  };
}
