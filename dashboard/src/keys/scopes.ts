import type { ApiKey } from "../api/api-types.ts";

export type Scope = ApiKey["scopes"][number];

/** What each scope allows, in the order of the API's documents. */
const MEANINGS: Readonly<Record<Scope, string>> = {
  "projects:read": "See projects, services, links and charges",
  "projects:write": "Create, change and delete projects; link providers; cards; variables",
  "services:write": "Add, rotate, upgrade and remove services",
  "env:read": "Pull the environment of projects, with its secrets",
  "wallets:read": "See wallets, balances and activity",
  "wallets:write": "Create and change wallets; fund them in test mode",
  "wallets:freeze": "Freeze and unfreeze wallets",
  "payments:read": "See payments",
  "payments:write": "Pay, capture, void, refund and cancel",
  "fiat:read": "See bank accounts, conversions and rates",
  "fiat:write": "Link banks, convert dollars and tokens",
  "agents:read": "See agents and their budgets",
  "agents:write": "Create, change, suspend and revoke agents",
  "policies:read": "See policies, and try them",
  "policies:write": "Create and change policies",
  "approvals:read": "See approvals",
  "approvals:write": "Approve and deny. Leave this to people if you can",
  "keys:read": "See API keys and the request log",
  "keys:write": "Create, rotate and revoke API keys",
  "provider_keys:read": "See which provider keys are stored",
  "provider_keys:write": "Store and delete provider keys",
  "audit:read": "Read, export and verify the audit trail",
  "webhooks:read": "See webhook endpoints",
  "webhooks:write": "Create and change webhook endpoints",
  "events:read": "Read events",
  "kill_switch:write": "Stop everything at once",
};

export const SCOPES = Object.entries(MEANINGS).map(([value, description]) => ({ value, label: value, description }));

/** A key has all scopes but those that decide in place of people, unless it names others. */
export const DEFAULT_SCOPES = Object.keys(MEANINGS).filter(
  (scope) => scope !== "approvals:write" && scope !== "audit:read",
);
