import { BRAND, type Html, html, ICON, pageOf } from "../kit/html.ts";
import type { StoredObject } from "../kit/object-store.ts";
import { OUTCOMES } from "../kit/outcome.ts";
import type { LoggedRequest } from "../kit/request-log.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import { operationsOf } from "./commands.ts";

export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; script-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'; form-action 'self'";

const REQUESTS_SHOWN_MAX = 20;
const OBJECTS_SHOWN_MAX = 50;

interface ShownVendor {
  readonly vendor: RunningVendor;
  readonly objects: readonly StoredObject[];
}

/**
 * Renders the control page, with a part to unfold for each vendor: its objects and requests, and a form for forcing
 * outcomes.
 */
export function sandboxPage(vendors: readonly ShownVendor[]): string {
  const body = html`<body>${BRAND}
    <header>
      <h1>Simulated vendors</h1>
      <p class="quiet">Calls to them are free and do not leave this machine.</p>
      <nav aria-label="Vendors">${vendors.map(({ vendor: { simulator } }) => html`<a href="#${simulator.vendor}">${simulator.displayName}</a> `)}</nav>
    </header>
    <main>${vendors.map(vendorSection)}</main></body>`;
  return pageOf("Sandbox", body, html`${ICON}<script src="/refresh.js" defer></script>`);
}

function vendorSection({ vendor, objects }: ShownVendor): Html {
  const { simulator, url } = vendor;
  return html`<details class="card vendor"><summary><h2>${simulator.displayName}</h2></summary>
    <div id="${simulator.vendor}">
    <p class="quiet">Base URL: <code>${url}</code></p>
    <h3>Force the outcome of the next calls</h3>
    ${outcomeForm(vendor)}
    ${operationList(vendor)}
    <h3>Magic values</h3>
    ${magicValues(vendor)}
    <div id="${simulator.vendor}-live" data-live>
      ${pendingOutcomes(vendor)}
      ${objectTable(objects)}
      ${requestTable(vendor)}
    </div>
    </div>
  </details>`;
}

function outcomeForm({ simulator }: RunningVendor): Html {
  const { vendor } = simulator;
  return html`<form class="card filter" action="/outcomes" method="post">
    <input type="hidden" name="vendor" value="${vendor}">
    <label>Operation <select name="operation">${operationsOf(simulator).map(option)}</select></label>
    <label>Outcome <select name="outcome">${OUTCOMES.map(option)}</select></label>
    <label>Times <input name="times" type="number" min="1" max="999" value="1" required></label>
    <button>Force</button>
  </form>`;
}

/** Renders the list of operations from the simulator's routes, so it is always complete. */
function operationList({ simulator: { routes } }: RunningVendor): Html {
  return html`<details><summary>Simulated operations (${String(routes.length)})</summary>
    ${table(
      ["Operation", "Request"],
      routes.map(({ operation, method, url }) => [operation, html`<code>${method} ${url}</code>`]),
    )}
    <p class="quiet">Any other request gets the vendor's response for an unknown path.</p></details>`;
}

function option(value: string): Html {
  return html`<option>${value}</option>`;
}

function magicValues({ simulator: { magicValues: values } }: RunningVendor): Html {
  return html`<dl class="card values">${values.map(
    ({ value, effect }) => html`<dt><code>${value}</code></dt><dd>${effect}</dd>`,
  )}</dl>`;
}

function pendingOutcomes({ outcomes }: RunningVendor): Html | readonly Html[] {
  const pending = outcomes.pending();
  if (pending.length === 0) return [];
  return html`<h3>Forced outcomes</h3>
    ${table(
      ["Operation", "Outcome", "Times left"],
      pending.map(({ operation, outcome, timesLeft }) => [operation, outcome, String(timesLeft)]),
    )}`;
}

function objectTable(objects: readonly StoredObject[]): Html {
  const newest = objects.slice(-OBJECTS_SHOWN_MAX).toReversed();
  return html`<h3>Objects (${String(objects.length)})</h3>
    ${table(
      ["Type", "Id", "State", "Created", "Data"],
      newest.map(({ type, id, state, createdAt, data }) => [
        type,
        html`<code>${id}</code>`,
        state,
        time(createdAt),
        html`<details><summary>data</summary><pre>${JSON.stringify(withoutSecret(data), null, 2)}</pre></details>`,
      ]),
    )}`;
}

function withoutSecret({ secret: _secret, ...shown }: StoredObject["data"]): object {
  return shown;
}

function requestTable({ requests }: RunningVendor): Html {
  const { total, invalid } = requests.counts();
  const newest = requests.list().slice(-REQUESTS_SHOWN_MAX).toReversed();
  return html`<h3>Requests (${String(total)}, ${String(invalid)} in violation of the vendor's OpenAPI description)</h3>
    ${table(
      ["Received", "Request", "Operation", "Status", "Valid"],
      newest.map((request) => [
        time(request.receivedAt),
        html`<code>${request.method} ${request.path}</code>`,
        request.operation || "(none)",
        request.status === 0 ? "none" : String(request.status),
        validity(request),
      ]),
    )}`;
}

function validity({ valid }: LoggedRequest): string {
  if (valid === null) return "not checked";
  return valid ? "yes" : "no";
}

export function table(heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  if (rows.length === 0) return html`<p class="card empty">None yet.</p>`;
  return html`<div class="card table" tabindex="0"><table>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

export function time(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
