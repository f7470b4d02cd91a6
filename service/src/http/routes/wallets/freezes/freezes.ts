import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { invalidField } from "../../../../foundation/errors.ts";
import { FREEZE_MODES, FREEZE_REASONS, type FreezeSource } from "../../../../foundation/vocabulary.ts";
import { DISPLAY_TEXT, OneOf, PRINTABLE_TEXT, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { type Freeze, freezeWallet } from "../../../../modules/wallets/freezes/freeze-wallets.ts";
import {
  type ChainFreeze,
  FreezeReport,
  freezeWalletOnChain,
  reportChainFreeze,
} from "../../../../workflows/freeze-wallet/freeze-on-chain.ts";
import { unfreezeAsDeveloper } from "../../../../workflows/freeze-wallet/unfreeze-wallet.ts";
import { actorOf, agentActorOf } from "../../../auth/principal.ts";
import { replyByReference, replyOnce } from "../../../idempotency.ts";
import { replyToMoneyRequest } from "../../../money-request.ts";
import { endpoint, type Route } from "../../../route.ts";
import { futureTime } from "../../developers/fields.ts";
import { walletKeyOf } from "../wallet-fields.ts";

const Note = Type.String({ minLength: 1, maxLength: 1_000, ...DISPLAY_TEXT });
const Reference = Type.String({ minLength: 1, maxLength: 200, ...PRINTABLE_TEXT });

export const WalletFreezeRequest = StrictObject("WalletFreezeRequest", {
  reason: OneOf(FREEZE_REASONS, "Why the wallet is frozen."),
  note: Type.Optional({
    ...Note,
    description: "A note of up to 1000 characters. Required if `reason` is `other`.",
  }),
  reference: Type.Optional({
    ...Reference,
    description: "A reference for the freeze, for example a case number.",
  }),
  review_reference: Type.Optional({
    ...Reference,
    description: "Like `reference`, which takes precedence.",
  }),
  expires_at: Type.Optional(
    Text("When the freeze should be reviewed. Must be in the future. The freeze does not end then.", {
      format: "date-time",
    }),
  ),
  scope: Type.Optional(
    OneOf(["wallet", "agent"], "`agent` freezes all wallets of the wallet's agent in this mode. Default: `wallet`."),
  ),
  mode: Type.Optional(
    OneOf(
      FREEZE_MODES,
      "`outgoing_only` refuses outgoing payments. `full` also refuses `fund` and incoming payments from wallets of the account. Default: `full`. A freeze by an admin is always `full`.",
    ),
  ),
});

export const WalletUnfreezeRequest = StrictObject("WalletUnfreezeRequest", {
  reason: Type.Optional(
    OneOf(FREEZE_REASONS, "Which reason no longer holds. It is stored with the history of freezes."),
  ),
  note: Type.Optional({
    ...Note,
    description: "A note that is stored with the history of freezes. Up to 1000 characters.",
  }),
  reference: Type.Optional({
    ...Reference,
    description: "Like `review_reference`, which takes precedence.",
  }),
  review_reference: Type.Optional({
    ...Reference,
    description: "A reference for the review, for example a case number.",
  }),
});

/** Returns the freeze that the body asks for. Throws `validation_error` for a missing note and for a past `expires_at`. */
export function freezeOf(
  body: Static<typeof WalletFreezeRequest>,
  { source, now }: { readonly source: FreezeSource; readonly now: Date },
): Freeze {
  if (body.reason === "other" && body.note === undefined) {
    throw invalidField("/body/note", "required", "is required if reason is other");
  }
  return {
    mode: body.mode ?? "full",
    source,
    reason: body.reason,
    note: body.note ?? null,
    reference: body.reference ?? body.review_reference ?? null,
    expiresAt: body.expires_at === undefined ? null : futureTime(body.expires_at, now, "expires_at"),
  };
}

/** Returns the reason, the note and the reference of an unfreeze. */
export function unfreezeOf(body: Static<typeof WalletUnfreezeRequest>) {
  return {
    reason: body.reason ?? null,
    note: body.note ?? null,
    reviewReference: body.review_reference ?? body.reference ?? null,
  };
}

const freezeWalletRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/freeze", {
  operationId: "freezeWallet",
  sdk: "wallets.freeze",
  summary: "Freeze a wallet",
  description:
    "Freezes the wallet: from the response on, no payment leaves it. Payments that wait for an approval or a capture are canceled. A frozen wallet remains as it is, unless the new freeze is stricter: `full` instead of `outgoing_only`, or by an admin. A key that is bound to an agent can freeze the agent's wallets, but cannot unfreeze them.",
  auth: "tenant",
  scope: "wallets:freeze",
  replayGuard: "strict",
  agentBound: "allowed",
  body: WalletFreezeRequest,
  answers: { 204: Type.Null() },
  example: { reason: "anomaly" },
  run: async (app, request, reply) => {
    const { body, params } = request;
    const command = freezeCommandOf(app, request, { walletId: params.wallet_id, body });
    const options = { status: 204, present: () => null } as const;
    return replyOnce(app, request, reply, options, async (saveResponse) => freezeWallet(app, command(), saveResponse));
  },
});

const freezeWalletOnChainRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/freeze-on-chain", {
  operationId: "freezeWalletOnChain",
  sdk: "wallets.freezeOnChain",
  summary: "Freeze a wallet on the chain",
  description:
    "Freezes the wallet like `POST /wallets/{wallet_id}/freeze`, then its account on the chain, and returns a signed proof. Then the account executes nothing any more, also nothing that was signed before. An account that is not deployed is deployed frozen. Waits up to 20 seconds until a block contains the freeze. If it is still `pending` then, Purser continues, and `GET /wallets/{wallet_id}` shows the outcome. After 10 minutes it is `failed`; Purser goes on, and repeating the request gives it 10 more minutes. The wallet is frozen in Purser in any case. Test mode has no chain: the freeze of the account is `simulated`.",
  auth: "tenant",
  scope: "wallets:freeze",
  replayGuard: "strict",
  agentBound: "allowed",
  body: WalletFreezeRequest,
  answers: { 200: FreezeReport },
  example: { reason: "suspected_compromise" },
  run: async (app, request, reply) => {
    const { body, params } = request;
    const command = freezeCommandOf(app, request, { walletId: params.wallet_id, body });
    const resolve = async (chainFreeze: ChainFreeze) => {
      const key = walletKeyOf(request, chainFreeze.walletId);
      return { kind: "response", body: await reportChainFreeze(app, key, chainFreeze) } as const;
    };
    return replyByReference(app, request, reply, { status: 200, resolve }, async (saveResponse) =>
      freezeWalletOnChain(app, command(), saveResponse),
    );
  },
});

type FreezeWallet = Parameters<typeof freezeWallet>[1];

/**
 * Returns a function that returns the command to freeze the wallet in the path. The body is checked at once, and the path
 * by the function, after the Idempotency-Key is claimed.
 */
function freezeCommandOf(
  app: App,
  request: FastifyRequest,
  { walletId, body }: { readonly walletId: string; readonly body: Static<typeof WalletFreezeRequest> },
): () => FreezeWallet {
  const freeze = freezeOf(body, { source: "developer", now: app.clock.now() });
  return () => ({
    key: walletKeyOf(request, walletId),
    actorOf: (agentId) => agentActorOf(request, agentId),
    scope: body.scope ?? "wallet",
    freeze,
  });
}

const unfreezeWalletRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/unfreeze", {
  operationId: "unfreezeWallet",
  sdk: "wallets.unfreeze",
  summary: "Unfreeze a wallet",
  description:
    "Lifts the developer's own freeze. Fails with `admin_review_required` if an admin froze the wallet. Keys that are bound to agents are refused. Does nothing if the wallet is not frozen. An account that is frozen on its chain is unfrozen there first. If that takes longer than 20 seconds, the response is 503 `network_unavailable`: the wallet has the status `unfreezing` and stays frozen, Purser goes on, and the request can be repeated to see the outcome. If the wallet's agent is not active, no payment leaves the wallet even then.",
  auth: "tenant",
  scope: "wallets:freeze",
  movesMoney: true,
  body: WalletUnfreezeRequest,
  answers: { 204: Type.Null() },
  errors: ["admin_review_required", "conflict", "network_unavailable"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const options = { status: 204, present: (): null => null } as const;
    return replyToMoneyRequest(app, request, reply, options, (claim) =>
      unfreezeAsDeveloper(app, actor, {
        claim,
        key: walletKeyOf(request, request.params.wallet_id),
        ...unfreezeOf(request.body),
      }),
    );
  },
});

export const freezeRoutes: readonly Route[] = [freezeWalletRoute, freezeWalletOnChainRoute, unfreezeWalletRoute];
