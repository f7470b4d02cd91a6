import { APIError, type Payment } from "@purser/sdk";
import type { Environment } from "@purser/service/config/reader.ts";
import { approveByEmail } from "./approve-by-email.ts";
import type { Scene } from "./scene.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

/** Shows payments of an agent: one that is made, one that is refused, one that a person approves, and one after a freeze. */
export async function showPayments(scene: Scene, environment: Environment): Promise<void> {
  const { developer, agentId, steps } = scene;
  const wallet = await steps.do("Create the agent's wallet", async () => {
    const made = await developer.wallets.create({ agent_id: agentId, network: "base" });
    return { result: made, message: `${made.wallet_id} on ${made.network}` };
  });
  await steps.do("Fund it", async () => {
    const funding = await developer.wallets.fund(wallet.wallet_id, { amount: "100.00" });
    return { result: funding, message: `${funding.amount} ${funding.token}` };
  });
  await steps.do("The agent pays", async () => {
    const payment = await pay(scene, "5.00");
    const { token, status } = payment;
    return { result: payment, message: `${payment.paid_amount} ${token}, ${status}` };
  });
  await showRefusal(scene, "It pays more than it may", "60.00");
  await showApprovedPayment(scene, environment);
  await steps.do("Freeze the wallet", async () => {
    await developer.wallets.freeze(wallet.wallet_id, { reason: "anomaly" });
    const { status } = await developer.wallets.get(wallet.wallet_id);
    return { result: status, message: status };
  });
  await showRefusal(scene, "The agent pays once more", "1.00");
}

function pay({ agent, agentId }: Scene, amount: string): Promise<Payment> {
  return agent.payments.send({ agent_id: agentId, amount, to: PAYEE });
}

async function showRefusal(scene: Scene, what: string, amount: string): Promise<void> {
  await scene.steps.do(what, async () => {
    const refusal = await pay(scene, amount).catch((error: unknown) => error);
    if (!(refusal instanceof APIError)) throw new Error("The payment was not refused.");
    const { status, code, decision } = refusal;
    const reason = decision === undefined ? "" : `:\n     ${JSON.stringify(decision)}`;
    return { result: refusal, message: `${status} ${code}${reason}` };
  });
}

async function showApprovedPayment(scene: Scene, environment: Environment): Promise<void> {
  const { agent, steps } = scene;
  const asked = await steps.do("It asks to pay", async () => {
    const payment = await pay(scene, "20.00");
    const { approval, status } = payment;
    if (approval === null) throw new Error("The policy did not ask for an approval.");
    const message = `202 ${status}, ${approval.approval_id}`;
    return { result: { paymentId: payment.payment_id, ...approval }, message };
  });
  await approveByEmail(scene, environment, { subject: "Approval requested: Pay" });
  await steps.do("It waits for the decision", async () => {
    const approval = await agent.approvals.waitFor(asked.approval_id);
    const payment = await agent.payments.get(asked.paymentId);
    const { paid_amount, token, status } = payment;
    return { result: payment, message: `${approval.status}: ${paid_amount} ${token}, ${status}` };
  });
}
