import { BRAND, type Html, html, ICON, pageOf } from "../kit/html.ts";
import type { StoredMessage } from "./message-store.ts";

interface Page {
  readonly markup: string;
  /** The page's Content-Security-Policy. */
  readonly policy: string;
}

const BASE_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
const LIST_POLICY = `${BASE_POLICY}; script-src 'self'; connect-src 'self'`;
// The page shows an email's HTML in a srcdoc frame, which inherits the page's policy. The page's policy must therefore
// allow what an email may contain: styles and data images. It does not allow scripts or requests to other hosts.
const MESSAGE_POLICY = `${BASE_POLICY}; style-src-attr 'unsafe-inline'; style-src-elem 'self' 'unsafe-inline'`;
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Renders the newest messages to the address `to`. If `to` is empty, renders those to all addresses. */
export function listPage(messages: readonly StoredMessage[], to: string): Page {
  const body = html`<body>${BRAND}
    <header>
      <h1>Mailbox</h1>
      <p class="quiet">Email that Purser sends is shown here and is not delivered.</p>
    </header>
    <form class="filter" action="/" method="get" role="search">
      <label for="to">To</label>
      <input id="to" name="to" type="email" value="${to}" placeholder="all addresses" autocomplete="off">
      <button>Show</button>
      ${to === "" ? [] : html`<a href="/">Show all</a>`}
    </form>
    <main id="mails" data-live aria-live="polite">${messages.length === 0 ? emptyList(to) : mailList(messages)}</main></body>`;
  const head = html`${ICON}
    <script src="/refresh.js" defer></script>
    <noscript><meta http-equiv="refresh" content="5"></noscript>`;
  return { markup: pageOf("Mailbox", body, head), policy: LIST_POLICY };
}

/** Renders one message. Its links come before the text, because most users want to open a link. */
export function messagePage(message: StoredMessage): Page {
  const { sender, recipient, subject, links, text, html: mailHtml } = message;
  const body = html`<body>${BRAND}
    ${backToList(recipient)}
    <main>
      <h1>${subject || "(no subject)"}</h1>
      <dl>
        <dt>From</dt><dd>${sender}</dd>
        <dt>To</dt><dd>${recipient}</dd>
        <dt>Received</dt><dd>${timeOf(message)}</dd>
      </dl>
      ${links.length === 0 ? [] : html`<ul class="links">${links.map(linkButton)}</ul>`}
      ${text === null ? [] : html`<h2>Text</h2><pre class="card">${text.trimEnd()}</pre>`}
      ${mailHtml === null ? [] : html`<h2>HTML</h2>${mailFrame(mailHtml)}`}
    </main></body>`;
  return { markup: pageOf(subject || "(no subject)", body, ICON), policy: MESSAGE_POLICY };
}

export function missingMessagePage(): Page {
  const body = html`<body>${BRAND}
    ${backToList("")}
    <main>
      <h1>Message not found</h1>
      <p class="quiet">The message was deleted, or the URL is incomplete.</p>
    </main></body>`;
  return { markup: pageOf("Message not found", body, ICON), policy: BASE_POLICY };
}

function emptyList(to: string): Html {
  return html`<p class="card empty">No mail${to === "" ? "" : ` to ${to}`} yet. New mail appears automatically.</p>`;
}

function mailList(messages: readonly StoredMessage[]): Html {
  return html`<ul class="card mails">${messages.map(mailEntry)}</ul>`;
}

function mailEntry(message: StoredMessage): Html {
  return html`<li><a href="/messages/${message.id}">
    <span class="subject">${message.subject || "(no subject)"}</span>
    ${timeOf(message)}
    <span class="people">To ${message.recipient}, from ${message.sender}</span>
  </a></li>`;
}

function timeOf({ receivedAt }: StoredMessage): Html {
  const iso = receivedAt.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

function backToList(recipient: string): Html {
  return html`<nav><a href="/">← All mail</a>${
    recipient === "" ? [] : html`<a href="/?to=${encodeURIComponent(recipient)}">More mail to ${recipient}</a>`
  }</nav>`;
}

function linkButton(link: string): Html {
  const { host, pathname } = new URL(link);
  return html`<li><a href="${link}" target="_blank" rel="noopener noreferrer">
    <strong>Open ${host}${pathname === "/" ? "" : pathname}</strong>
    <span>${link}</span>
  </a></li>`;
}

function mailFrame(mailHtml: string): Html {
  const document =
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${MAIL_POLICY}">` +
    `<base target="_blank"><meta charset="utf-8">${mailHtml}`;
  return html`<iframe class="card" title="The email's HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"
    referrerpolicy="no-referrer" srcdoc="${document}"></iframe>`;
}
