import type { FastifyInstance, FastifyReply } from "fastify";
import { type Html, html } from "../kit/html.ts";
import { addStylesheet } from "../kit/page-assets.ts";
import { addScript, formOf, parentOf, sendPage } from "../kit/pages.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { accountsOf, createItem, INSTITUTION } from "./items.ts";
import { FRAME_SCRIPT, LINK_SCRIPT } from "./link-scripts.ts";
import { type AddedItem, findOpenLink, type StoredLink } from "./link-tokens.ts";
import type { PlaidEvents } from "./plaid-events.ts";

/** The owner's name if the user types none. */
const OWNER_NAME = "Ada Lovelace";
const OTHER_NAME = "Charles Babbage";
/** What a user can choose, with the text of the button. */
const CHOICES: ReadonlyMap<unknown, string> = new Map([
  ["good", "Log in"],
  ["other_owner", `Log in to accounts of ${OTHER_NAME}`],
  ["micro_deposits", "Verify with micro-deposits"],
  ["repair", "Log in again"],
]);

interface LinkRequest {
  Querystring: Record<string, unknown>;
}

const FRAME_PATH = "/link/frame.js";

/**
 * Adds Plaid's script, whose `Plaid.create({ token, onSuccess, onExit }).open()` shows the page that replaces Plaid Link in a
 * frame: `/link?token=LINK_TOKEN&parent=ORIGIN`. Without an app's origin, the page shows the public token, and its form can be
 * submitted with curl.
 */
export function addLinkPage(server: FastifyInstance, context: VendorContext, events: PlaidEvents): void {
  server.get<LinkRequest>("/link", async ({ query }, reply) => {
    const link = await findOpenLink(context, String(query["token"]));
    return link === undefined ? sendMissing(reply, query) : sendForm(reply, link, frameOf(query));
  });

  server.post<LinkRequest>("/link", async ({ query, headers, body }, reply) => {
    const link = await findOpenLink(context, String(query["token"]));
    if (link === undefined) return sendMissing(reply, query);
    const { user, owner_name: typed } = formOf({ headers, body });
    const frame = frameOf(query);
    if (!choicesOf(link).includes(user)) return sendForm(reply.status(400), link, frame);
    const isFirst = await context.objects.claim("link_token", link.id, "open", "finished");
    const ownerName = user === "other_owner" ? OTHER_NAME : String(typed || OWNER_NAME);
    const choice = { ownerName, hasDeposits: user === "micro_deposits" };
    return isFirst ? finish(reply, { context, events, link, frame }, choice) : sendMissing(reply, query);
  });

  addStylesheet(server);
  addScript(server, "/link/v2/stable/link-initialize.js", LINK_SCRIPT);
  addScript(server, FRAME_PATH, FRAME_SCRIPT);
}

type Frame = { readonly parent: string; readonly script: string } | null;

function frameOf(query: LinkRequest["Querystring"]): Frame {
  const parent = parentOf(query);
  return parent === null ? null : { parent, script: FRAME_PATH };
}

function choicesOf({ data: { itemId, asked } }: StoredLink): readonly unknown[] {
  if (itemId !== null) return ["repair"];
  return ["good", "other_owner", ...(asked.auth?.automated_microdeposits_enabled ? ["micro_deposits"] : [])];
}

type Choice = Pick<Parameters<typeof createItem>[2], "ownerName" | "hasDeposits">;

interface Session {
  readonly context: VendorContext;
  readonly events: PlaidEvents;
  readonly link: StoredLink;
  readonly frame: Frame;
}

async function finish(reply: FastifyReply, session: Session, choice: Choice): Promise<FastifyReply> {
  const { itemId } = session.link.data;
  if (itemId === null) return sendAdded(reply, await addItem(session, choice), session.frame);
  // Plaid itself sends this webhook only if the user logged in again through another app.
  await session.events.emit(session.context, "ITEM.LOGIN_REPAIRED", itemId);
  return sendPage(reply, "The login was repaired", successOf({ accounts: [] }), { frame: session.frame });
}

/** Adds an item to the session, with the accounts of the subtypes that the app accepts. */
async function addItem({ context, events, link }: Session, choice: Choice): Promise<AddedItem> {
  const { mode, asked } = link.data;
  const { webhook = null, account_filters: filters } = asked;
  const { item, publicToken } = await createItem(context, events, { mode, webhook, ...choice });
  const accounts = accountsOf(item)
    .filter(({ subtype }) => filters?.depository.account_subtypes.includes(subtype) ?? true)
    .map(({ account_id: id, name, mask, type, subtype, verification_status = null }) => ({
      ...{ id, name, mask, type, subtype, verification_status },
    }));
  const added = { public_token: publicToken, accounts, institution: INSTITUTION };
  await context.objects.update("link_token", link.id, { data: { ...link.data, secret: { added } } });
  return added;
}

function sendAdded(reply: FastifyReply, added: AddedItem, frame: Frame): FastifyReply {
  const rows = added.accounts.map(({ id, name }) => html`<dt>${name}</dt><dd><code>${id}</code></dd>`);
  const list = html`<dl><dt>Public token</dt><dd><code>${added.public_token}</code></dd>${rows}</dl>`;
  return sendPage(reply, "The accounts were linked", frame === null ? list : successOf(added), { frame });
}

/** What the script in the frame hands to the app. */
function successOf(success: Partial<AddedItem>): Html {
  return html`<p data-success="${JSON.stringify(success)}">You can close this page.</p>`;
}

const CANCEL = html`<button type="button" data-exit>Cancel</button>`;

function sendMissing(reply: FastifyReply, query: LinkRequest["Querystring"]): FastifyReply {
  const frame = frameOf(query);
  const rest = frame === null ? [] : CANCEL;
  return sendPage(reply.status(404), "This link token is unknown, used or expired", rest, { frame });
}

function sendForm(reply: FastifyReply, link: StoredLink, frame: Frame): FastifyReply {
  const buttons = choicesOf(link).map(
    (choice) => html`<button name="user" value="${String(choice)}">${CHOICES.get(choice) ?? ""}</button> `,
  );
  const form = html`
    <p class="quiet">In the sandbox, this page replaces Plaid's pages.</p>
    <form class="filter" method="post">
      <label>Owner <input name="owner_name" placeholder="${OWNER_NAME}" maxlength="100"></label> ${buttons}
      ${frame === null ? "" : CANCEL}
    </form>`;
  return sendPage(reply, `Connect ${INSTITUTION.name}`, form, { frame });
}
