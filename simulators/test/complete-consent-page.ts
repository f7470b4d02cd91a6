/** Submits a consent page's form, as curl would. Returns the URL that the page redirects to. */
export async function completeConsentPage(url: string, form: Readonly<Record<string, string>> = {}): Promise<URL> {
  const page = await (await fetch(url)).text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  if (action === undefined) throw new Error(`The page has no form: ${page}`);
  const response = await fetch(new URL(action, url), {
    method: "POST",
    body: new URLSearchParams({ persona: "ada", decision: "allow", ...form }),
    redirect: "manual",
  });
  if (response.status !== 303) throw new Error(`The form returned status ${response.status}.`);
  return new URL(response.headers.get("location") ?? "");
}

export async function codeFrom(url: string, form?: Readonly<Record<string, string>>): Promise<string> {
  const back = await completeConsentPage(url, form);
  return back.searchParams.get("code") ?? "none";
}
