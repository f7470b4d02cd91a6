import { envNames, findRequest, policiesOfAgent, waitForOperation, whoAmI, writeEnvironment } from "./own-tools.ts";
import { ADD, CHANGE, STOP, type Tool } from "./tool.ts";

const PAGE = "cursor limit";
const NEXT_PAGE = "has_more next_cursor";
const APPROVAL = "approval.approval_id approval.approve_page_url";
const OPERATION = `operation_id type status service_id steps.name steps.status ${below("error", "code detail decision.* next_action.* request_id")}`;
const STEPS = `${below("operation", OPERATION)} ${APPROVAL}`;
const SERVICE = below("service", "service_id service name plan status environments env_names");
const BALANCES = below("balances", "token available held total");
const PAYMENT_INPUTS =
  "agent_id to amount token network wallet_id purpose reference execution max_fee expires_at project_id metadata";
const PAYMENT = `payment_id status agent_id wallet_id project_id network token amount paid_amount ${below("to", "type value address")} purpose reference decision.* fees.* failure.* onchain.tx_hash expires_at created_at settled_at ${APPROVAL}`;

/** The tools. None unfreezes, makes keys, approves, or changes caps or policies: only a person does. */
export const TOOLS = {
  whoami: {
    operation: "getDeveloper",
    does: "Tells the mode, the agent and the project for which the tools act, or the agents to choose from, and the state of the account.",
    shows: `mode agent_id project_id developer_id status live_access capabilities.* ${below("agents", "agent_id name status")}`,
    run: whoAmI,
  },
  catalog_search: {
    operation: "browseCatalog",
    inputs: `q category provider ${PAGE}`,
    shows: `${NEXT_PAGE} ${below("data", `provider display_name auth health regions terms.* ${below("services", "service description config_schema.* env_vars.name requires_plan deprovision_effect plans.plan plans.pricing.* plans.payment_method_required plans.allowed_updates")}`)}`,
  },
  projects_list: {
    operation: "listProjects",
    inputs: "cursor per_page",
    shows: `${NEXT_PAGE} ${below("data", "project_id name status monthly_cap usage.remaining environments")}`,
  },
  project_create: {
    operation: "createProject",
    hints: ADD,
    inputs: "name description environments metadata",
    shows: "project_id name status monthly_cap environments",
  },
  project_status: {
    operation: "getProjectStatus",
    shows: `project_id status cap.* services.* links.* warnings next_steps ${below("pending_actions", "type reason provider")}`,
  },
  service_add: {
    operation: "addService",
    does: "Adds a service of the catalog to a project. It can cost. A person must have linked its provider before.",
    hints: ADD,
    inputs: "service name plan config region environments env_prefix max_monthly_cost accept_terms_version",
    required: ["service"],
    shows: `${SERVICE} ${STEPS} env_names`,
  },
  service_upgrade: {
    operation: "upgradeService",
    hints: CHANGE,
    inputs: "plan effective max_monthly_cost expected_current_plan accept_terms_version",
    shows: `${SERVICE} previous_plan changed status price_change.* ${STEPS}`,
  },
  service_rotate: {
    operation: "rotateService",
    hints: CHANGE,
    inputs: "grace_period_seconds reason retire_previous",
    shows: "service_id status previous_valid_until env_names changed warnings operation_id",
  },
  service_remove: {
    operation: "removeService",
    does: "Removes a service, with all its data at the provider. Cannot be undone.",
    hints: STOP,
    shows: `service_id service name status effect ${below("operation", OPERATION)}`,
  },
  operation_wait: {
    operation: "getOperationById",
    does: "Waits until an operation, such as adding a service, has ended. Returns it as it then is.",
    ownInputs: { wait_seconds: { type: "integer", minimum: 0, maximum: 50, description: "How long to wait." } },
    defaults: { wait_seconds: 25 },
    shows: OPERATION,
    run: waitForOperation,
  },
  provider_link_start: {
    operation: "linkProvider",
    does: "Starts to link a project to a provider. A person then opens the url in a browser.",
    hints: ADD,
    inputs: "provider mode accept_terms_version force",
    shows: "link_id provider status error url expires_at",
  },
  env_names: {
    operation: "pullEnv",
    does: "Lists the names of a project's environment variables. Values are never returned.",
    inputs: "environment",
    shows: "environment variables.name variables.source variables.updated_at warnings",
    run: envNames,
  },
  env_write_file: {
    operation: "pullEnv",
    does: "Writes a project's environment variables to a file. Returns the path and the names, never a value.",
    hints: { ...STOP, openWorldHint: false },
    inputs: "environment",
    ownInputs: { path: { type: "string", description: "Such as `.env` or `app/.env.local`, in the server's folder." } },
    defaults: { path: ".env" },
    shows: "path names environment",
    run: writeEnvironment,
  },
  wallets_list: {
    operation: "listWallets",
    does: "Lists the wallets, with their agents and balances.",
    inputs: `network status ${PAGE}`,
    shows: `${NEXT_PAGE} ${below("data", `wallet_id agent_id name network address status ${BALANCES}`)}`,
  },
  wallet_balance: {
    operation: "getWalletBalance",
    inputs: "refresh",
    shows: `wallet_id network ${BALANCES} as_of stale`,
  },
  wallet_fund: {
    operation: "fundWallet",
    hints: { ...ADD, openWorldHint: false },
    inputs: "amount token",
    shows: `funding_id wallet_id token amount ${BALANCES}`,
    isTestOnly: true,
  },
  wallet_freeze: {
    operation: "freezeWallet",
    hints: { ...STOP, openWorldHint: false },
    inputs: "reason note reference scope mode",
    shows: "",
  },
  payment_simulate: {
    operation: "simulatePayment",
    does: "Tells what payment_send would do with the same arguments: allow, ask a person, or refuse, and why.",
    inputs: PAYMENT_INPUTS,
    shows: `outcome agent_id wallet_id network token amount ${below("to", "type value address")} fees.* decision.* ${below("refusal", "code detail decision.* next_action.*")}`,
  },
  payment_send: {
    operation: "sendPayment",
    does: "Pays from a wallet of the agent, within its policies and caps. If the status is requires_approval, a person decides.",
    hints: CHANGE,
    inputs: PAYMENT_INPUTS,
    shows: PAYMENT,
  },
  payment_get: { operation: "getPayment", shows: PAYMENT },
  approval_wait: {
    operation: "getApproval",
    does: "Waits until a person has approved or denied, and tells the outcome. Only a person can decide.",
    inputs: "wait_seconds",
    defaults: { wait_seconds: 25 },
    shows: `approval_id status subject.* ${below("summary", "title amount payee")} outcome.status outcome.failure.* approve_page_url expires_at decided_at`,
  },
  budgets: { operation: "getAgentBudgets", shows: "agent_id limits.* caps.* as_of" },
  policies: {
    operation: "listPolicies",
    does: "Shows the policies that apply to the agent: what it may do, and what a person must approve.",
    ownInputs: { agent_id: {} },
    shows: below("data", "policy_id name version default starter rules.* approvals.*"),
    run: policiesOfAgent,
  },
  fiat_rate: { operation: "getRate", inputs: "source dest", shows: "source dest rate inverse_rate spread_bps as_of" },
  find_refusal: {
    operation: "listRequests",
    does: "Finds a request in the request log by the request_id of an error: which call it was, its status and its error.",
    ownInputs: { request_id: { type: "string", description: "Such as `req_…`." } },
    required: ["request_id"],
    shows: below("data", "request_id key_id agent_id method path status error_code created_at"),
    run: findRequest,
  },
} satisfies Readonly<Record<string, Tool>>;

function below(parent: string, fields: string): string {
  return fields.replace(/\S+/g, (field) => `${parent}.${field}`);
}
