/** Submits the form on a page, with its cookies, preset fields and `fields`. Does not follow redirects. */
export async function submitForm(pageUrl: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const page = await fetch(pageUrl, { redirect: "manual" });
  const markup = await page.text();
  const form = /<form\b([^>]*)>(.*?)<\/form>/is.exec(markup);
  if (form === null) throw new Error(`There is no form at ${new URL(pageUrl).pathname}.`);
  const [, attributes = "", content = ""] = form;
  return fetch(new URL(attributeOf(attributes, "action") ?? "", pageUrl), {
    method: "POST",
    redirect: "manual",
    headers: { accept: "application/json", ...cookiesOf(page) },
    body: new URLSearchParams({ ...presetFields(content), ...fields }),
  });
}

/** Returns the header that sends the page's cookies back. */
function cookiesOf(page: Response): Readonly<Record<string, string>> {
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return cookies.length === 0 ? {} : { cookie: cookies.join("; ") };
}

/** Returns the form's hidden fields and checked inputs. */
function presetFields(content: string): Record<string, string> {
  const inputs = [...content.matchAll(/<input\b([^>]*)>/gi)].map(([, attributes = ""]) => attributes);
  return Object.fromEntries(
    inputs
      .filter((input) => attributeOf(input, "type") === "hidden" || /\schecked\b/i.test(input))
      .map((input) => [attributeOf(input, "name") ?? "", attributeOf(input, "value") ?? ""]),
  );
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`, "i")
    .exec(attributes)?.[1]
    ?.replace(/&(amp|quot|lt|gt|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&quot;": '"',
  "&lt;": "<",
  "&gt;": ">",
  "&#39;": "'",
};
