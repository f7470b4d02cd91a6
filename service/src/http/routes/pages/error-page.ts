import {
  AppError,
  type ErrorCode,
  invalidField,
  isErrorCode,
  isRetryable,
  problemBody,
} from "../../../foundation/errors.ts";
import { escapeHtml } from "../../../foundation/text.ts";
import { catalog } from "../../../foundation/wire/error-catalog.ts";
import { htmlPage, PAGE_HEADERS } from "./html-page.ts";
import { page } from "./page.ts";

const ALL_ERRORS = `<p class="quiet">The <a href="/docs/reference#description/errors">API reference</a> lists all errors.</p>`;

const missingPage = htmlPage(
  "There is no such error",
  `<p>No error has this code. Check the <code>type</code> of the problem.</p>\n${ALL_ERRORS}`,
);

/** Serves the page to which the `type` of an error leads. */
export const errorPageRoute = page("/errors/:code", ({ reply }, { code }) => {
  reply.headers(PAGE_HEADERS);
  return isErrorCode(code) ? reply.send(errorPage(code)) : reply.code(404).send(missingPage);
});

function errorPage(code: ErrorCode): string {
  const error =
    code === "validation_error" ? invalidField("/body/name", "required", "is required") : new AppError(code);
  const body = problemBody(error, "req_01kb3v9x2ne8s9gq4d7m5hj6ta");
  const { detail, why, next } = catalog[code];
  const retry = isRetryable(error) ? " <code>Retry-After</code> says how many seconds to wait at least." : "";
  return htmlPage(
    body.title,
    `<p class="quiet">Code <code>${code}</code>, HTTP status ${error.status}</p>
<h2>What happened</h2>
<p>${escapeHtml(detail)}</p>
<h2>Why</h2>
<p>${escapeHtml(why)}</p>
<h2>What to do</h2>
<p>${escapeHtml(next)}${retry}</p>
<h2>Example of a response</h2>
<pre>${escapeHtml(JSON.stringify(body, null, 2))}</pre>
${ALL_ERRORS}`,
  );
}
