import { randomUUID } from "node:crypto";
import { type ConformanceContext, text } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";
import { boundToAgent, withKey } from "./wrong-credentials.ts";

const AGENT_ID = randomUUID();
const NEW_WALLET = { body: { agent_id: AGENT_ID, network: "base-sepolia" } };
const FUNDING = { amount: "10.00" };
const ANOMALY = { reason: "anomaly" };

const wrongAgents = [
  boundToAgent(404),
  wrong("X-Agent-ID names another agent", 404, {
    as:
      ({ live }) =>
      (call) =>
        live({ ...call, headers: { "x-agent-id": randomUUID() } }),
  }),
];

/** A call to a new wallet in test mode. Only such a wallet can be funded, and only test mode simulates a chain. */
const onTestWallet = (verb: string, agentId: string, body: object) => ({
  before: async ({ test, saved }: ConformanceContext) => {
    const request = { body: { ...NEW_WALLET.body, agent_id: agentId } };
    const wallet = await test({ method: "POST", path: "/wallets/create", ...request });
    saved.set("test wallet", text(wallet, "wallet_id"));
  },
  as: ({ test }: ConformanceContext) => test,
  request: ({ recall }: ConformanceContext) => ({
    path: `/wallets/${recall("test wallet") || "unknown"}/${verb}`,
    body,
  }),
});

const live = ({ live: caller }: ConformanceContext) => caller;

export const walletOperations: readonly Operation[] = [
  row("POST /wallets/create", {
    request: NEW_WALLET,
    save: { wallet_id: "wallet_id", agent_id: "agent_id" },
    wrong: [boundToAgent(404)],
  }),
  row("GET /wallets"),
  row("GET /wallets/agent/{agent_id}", { wrong: wrongAgents }),
  row("GET /wallets/{wallet_id}", { wrong: wrongAgents }),
  row("GET /wallets/{wallet_id}/balance", { wrong: wrongAgents }),
  row("GET /wallets/{wallet_id}/activity", { wrong: wrongAgents }),
  row("PATCH /wallets/{wallet_id}", { request: { body: { name: "conformance" } }, wrong: wrongAgents }),
  row("POST /wallets/{wallet_id}/fund", {
    ...onTestWallet("fund", AGENT_ID, FUNDING),
    after: ({ saved }) => saved.set("test agent", AGENT_ID),
    wrong: [
      wrong("a live key", 403, { as: live, request: { body: FUNDING } }),
      wrong("a test key and a live wallet", 403, { as: ({ test }) => test, request: { body: FUNDING } }),
    ],
  }),
  row("POST /wallets/{wallet_id}/freeze", {
    request: { body: ANOMALY },
    wrong: [wrong("the reason other without a note", 422, { request: { body: { reason: "other" } } })],
  }),
  row("POST /wallets/{wallet_id}/freeze-on-chain", {
    ...onTestWallet("freeze-on-chain", randomUUID(), ANOMALY),
    wrong: [wrong("a live wallet", 200, { as: live, request: { body: ANOMALY } })],
  }),
  row("POST /wallets/{wallet_id}/unfreeze", {
    request: { body: {} },
    wrong: [
      wrong("a key that is bound to the agent", 403, {
        as: withKey({ scopes: ["wallets:freeze"], agent_ids: [AGENT_ID] }),
      }),
    ],
  }),
];
