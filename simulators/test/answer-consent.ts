/** Opens a consent page as curl would, fills in the form that stands there, and comes back with where it leads. */
export async function answerConsent(
  url: string,
  form: Readonly<Record<string, string>> = {},
): Promise<URL> {
  const page = await (await fetch(url)).text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  if (action === undefined) throw new Error(`No form is on the page: ${page}`);
  const response = await fetch(new URL(action, url), {
    method: "POST",
    body: new URLSearchParams({ persona: "ada", decision: "allow", ...form }),
    redirect: "manual",
  });
  if (response.status !== 303) throw new Error(`Answered with ${response.status}.`);
  return new URL(response.headers.get("location") ?? "");
}

export async function codeFrom(
  url: string,
  form?: Readonly<Record<string, string>>,
): Promise<string> {
  const back = await answerConsent(url, form);
  return back.searchParams.get("code") ?? "none";
}
