import type { ApiResponse, useHarness } from "./harness.ts";

/** A minimal browser for Purser's pages. It stores cookies, and reads and submits forms. */
export function newBrowser(
  harness: ReturnType<typeof useHarness>,
  { from = "203.0.113.7" }: { readonly from?: string } = {},
) {
  const cookies = new Map<string, string>();

  function storeCookies(answer: ApiResponse): ApiResponse {
    for (const text of [answer.headers["set-cookie"] ?? []].flat()) {
      const [pair = "", ...flags] = text.split("; ");
      const [name = "", value = ""] = pair.split("=");
      if (value === "" || flags.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  async function open(url: string, headers: Readonly<Record<string, string>> = {}) {
    return storeCookies(
      await harness.send({
        method: "GET",
        url,
        remoteAddress: from,
        headers: { accept: "text/html", cookie: cookieHeader(), ...headers },
      }),
    );
  }

  /** Submits a form with the given fields. */
  async function send(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    return sendRaw(url, new URLSearchParams(fields).toString(), headers);
  }

  /** Submits a form whose body is exactly `payload`. */
  async function sendRaw(url: string, payload: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
    return storeCookies(
      await harness.send({
        method: "POST",
        url,
        remoteAddress: from,
        headers: {
          accept: "text/html",
          "content-type": "application/x-www-form-urlencoded",
          origin: "http://purser.test",
          "sec-fetch-site": "same-origin",
          cookie: cookieHeader(),
          ...headers,
        },
        payload,
      }),
    );
  }

  /** Submits a page's form with its hidden fields and the given fields. */
  async function submit(
    { text }: Pick<ApiResponse, "text">,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    return send(formOf(text).action, { ...formOf(text).hidden, ...fields }, headers);
  }

  return { cookies, open, send, sendRaw, submit };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Decodes the HTML entities in an attribute value. */
function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Returns the action and the hidden fields of a page's form. */
function formOf(page: string) {
  const action = /<form [^>]*action="([^"]*)"/.exec(page)?.[1] ?? "";
  const fields = page.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?>/g);
  const hidden = Object.fromEntries([...fields].map(([, name = "", value = ""]) => [name, unescaped(value)]));
  return { action: unescaped(action), hidden };
}
