import type { FastifyInstance, FastifyReply } from "fastify";
import { html } from "../kit/html.ts";
import { addStylesheet } from "../kit/page-assets.ts";
import { formOf, sendPage } from "../kit/pages.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import type { BridgeEvents } from "./bridge-route.ts";
import { KYC_LINK, type KycLink } from "./kyc-links.ts";
import { isOnRamp, type Progress, type StoredTransfer, TRANSFER, type TransferData } from "./transfers.ts";

const QUESTIONS = { kyc: "Is this customer identified?", terms: "Do you accept Bridge's terms?" };
type Question = keyof typeof QUESTIONS;

/** Adds the pages on which a customer goes on, and the bank's form for deposits. The forms can also be sent with curl. */
export function addPages(
  server: FastifyInstance,
  context: VendorContext,
  { events, progress }: { readonly events: BridgeEvents; readonly progress: Progress },
): void {
  addStylesheet(server);
  for (const question of ["kyc", "terms"] as const) {
    server.route<{ Params: { link: string } }>({
      method: ["GET", "POST"],
      url: `/${question}/:link`,
      handler: async (request, reply) => {
        const link = await context.objects.find<KycLink["data"]>(KYC_LINK, request.params.link);
        if (link === undefined) return sendPage(reply.status(404), "Link not found");
        if (request.method === "GET") return sendQuestion(reply, question);
        const { decision } = formOf(request);
        if (decision !== "approve" && decision !== "reject") return sendQuestion(reply.status(400), question);
        await context.objects.update(KYC_LINK, link.id, changeOf(link, question, decision === "approve"));
        await events.emit(context, "kyc_link.updated.status_transitioned", link.id);
        return sendPage(reply, "Your answer was stored");
      },
    });
  }
  server.get("/deposit", async (_request, reply) => sendDepositForm(reply, context));
  server.post("/deposit", async (request, reply) => {
    const { deposit_message: message, amount } = formOf(request);
    const transfer = (await waitingTransfers(context)).find(({ data }) => data.depositMessage === message);
    if (transfer === undefined || Number(amount) !== Number(transfer.data.body.amount)) {
      return sendDepositForm(reply.status(400), context, "No transfer waits for this message and amount.");
    }
    await progress.fund(context, transfer);
    await progress.advance(context, transfer.id);
    return sendPage(reply, "The deposit was received");
  });
}

function changeOf({ data }: KycLink, question: Question, isApproved: boolean) {
  if (question === "kyc") return { state: isApproved ? "approved" : "rejected" };
  return { data: { ...data, tosStatus: isApproved ? "approved" : "pending" } };
}

function sendQuestion(reply: FastifyReply, question: Question): FastifyReply {
  const form = html`
    <p class="quiet">In the sandbox, this page replaces Bridge's.</p>
    <form class="filter" method="post">
      <button name="decision" value="approve">Approve</button>
      <button name="decision" value="reject">Reject</button>
    </form>`;
  return sendPage(reply, QUESTIONS[question], form);
}

async function waitingTransfers({ objects }: VendorContext): Promise<StoredTransfer[]> {
  const all = await objects.list<TransferData>(TRANSFER);
  return all.filter(({ state, data }) => state === "awaiting_funds" && isOnRamp(data));
}

async function sendDepositForm(reply: FastifyReply, context: VendorContext, problem = ""): Promise<FastifyReply> {
  const waiting = (await waitingTransfers(context)).map(
    ({ data }) => html`<li>${data.depositMessage}: ${data.body.amount} USD</li>`,
  );
  const form = html`
    <p class="quiet">In the sandbox, this form replaces the payer's bank. Transfers that wait for a deposit: ${waiting.length === 0 ? "none" : ""}</p>
    <ul>${waiting}</ul>
    ${problem === "" ? "" : html`<p role="alert">${problem}</p>`}
    <form class="filter" method="post">
      <label>Message <input name="deposit_message" required></label>
      <label>Amount <input name="amount" required></label>
      <button>Deposit</button>
    </form>`;
  return sendPage(reply, "Deposit dollars at Bridge", form);
}
