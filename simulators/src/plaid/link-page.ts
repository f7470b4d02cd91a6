import type { FastifyInstance, FastifyReply } from "fastify";
import { addStylesheet, formOf, sendPage } from "../kit/pages.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { html } from "../mailbox/html.ts";
import { accountsOf, createItem, INSTITUTION } from "./items.ts";
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

/** A page of this machine. */
const RETURN_FORM = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\//;

/**
 * Adds the page that replaces Plaid Link: `/link?token=LINK_TOKEN`. Its form can also be submitted with curl. Plaid hands the
 * public token to the app's script, so this page shows it, or with `return_to=URL` opens a page of this machine with the public
 * token and the accounts in the URL's fragment, which no server sees.
 */
export function addLinkPage(server: FastifyInstance, context: VendorContext, events: PlaidEvents): void {
  server.get<LinkRequest>("/link", async ({ query }, reply) => {
    const link = await findOpenLink(context, String(query["token"]));
    return link === undefined ? sendMissing(reply) : sendForm(reply, link, returnOf(query));
  });

  server.post<LinkRequest>("/link", async ({ query, headers, body }, reply) => {
    const link = await findOpenLink(context, String(query["token"]));
    if (link === undefined) return sendMissing(reply);
    const { user, owner_name: typed } = formOf({ headers, body });
    const returnTo = returnOf(query);
    if (!choicesOf(link).includes(user)) return sendForm(reply.status(400), link, returnTo);
    const isFirst = await context.objects.claim("link_token", link.id, "open", "finished");
    const ownerName = user === "other_owner" ? OTHER_NAME : String(typed || OWNER_NAME);
    const choice = { ownerName, hasDeposits: user === "micro_deposits" };
    return isFirst ? finish(reply, { context, events, link, returnTo }, choice) : sendMissing(reply);
  });

  addStylesheet(server);
}

function returnOf({ return_to: returnTo }: LinkRequest["Querystring"]): string | null {
  return typeof returnTo === "string" && RETURN_FORM.test(returnTo) ? returnTo : null;
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
  readonly returnTo: string | null;
}

async function finish(reply: FastifyReply, session: Session, choice: Choice): Promise<FastifyReply> {
  const { itemId } = session.link.data;
  if (itemId === null) return sendAdded(reply, await addItem(session, choice), session.returnTo);
  // Plaid itself sends this webhook only if the user logged in again through another app.
  await session.events.emit(session.context, "ITEM.LOGIN_REPAIRED", itemId);
  if (session.returnTo !== null) return reply.redirect(session.returnTo, 303);
  return sendPage(reply, "The login was repaired");
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

function sendAdded(
  reply: FastifyReply,
  { public_token: publicToken, accounts }: AddedItem,
  returnTo: string | null,
): FastifyReply {
  if (returnTo !== null) {
    const chosen = JSON.stringify(accounts.map(({ id, name }) => ({ id, name })));
    const fragment = new URLSearchParams({ public_token: publicToken, accounts: chosen });
    return reply.redirect(`${returnTo}#${fragment}`, 303);
  }
  const rows = accounts.map(({ id, name }) => html`<dt>${name}</dt><dd><code>${id}</code></dd>`);
  const list = html`<dl><dt>Public token</dt><dd><code>${publicToken}</code></dd>${rows}</dl>`;
  return sendPage(reply, "The accounts were linked", list);
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return sendPage(reply.status(404), "This link token is unknown, used or expired");
}

function sendForm(reply: FastifyReply, link: StoredLink, returnTo: string | null): FastifyReply {
  const buttons = choicesOf(link).map(
    (choice) => html`<button name="user" value="${String(choice)}">${CHOICES.get(choice) ?? ""}</button> `,
  );
  const form = html`
    <p class="quiet">In the sandbox, this page replaces Plaid's pages.</p>
    <form class="filter" method="post">
      <label>Owner <input name="owner_name" placeholder="${OWNER_NAME}" maxlength="100"></label> ${buttons}
    </form>`;
  return sendPage(reply, `Connect ${INSTITUTION.name}`, form, returnTo);
}
