import type { Link, Purser } from "@purser/sdk";
import type { Steps } from "./steps.ts";
import { submitForm } from "./submit-form.ts";

/** Links a Neon account by submitting an access token, and a Supabase account through its OAuth consent page. */
export async function linkProviders(client: Purser, projectId: string, steps: Steps): Promise<void> {
  await linkNeon(client, projectId, steps);
  await steps.do("Link Supabase: press Allow", async () => {
    const { link_id, url } = await client.projects.links.begin(projectId, { provider: "supabase" });
    const response = await submitForm(url ?? "", { decision: "allow" });
    // Follows the redirect to the service. The redirect's URL contains a one-time code.
    await fetch(response.headers.get("location") ?? "", { redirect: "manual" });
    const link = await getLinked(client, projectId, link_id);
    return { result: link, message: `linked as ${link.account_label}` };
  });
}

export async function linkNeon(client: Purser, projectId: string, steps: Steps): Promise<void> {
  await steps.do("Link Neon: paste a token", async () => {
    const { link_id, url } = await client.projects.links.begin(projectId, { provider: "neon" });
    await submitForm(url ?? "", { token: "sandbox-ada" });
    const link = await getLinked(client, projectId, link_id);
    return { result: link, message: `linked as ${link.account_label}` };
  });
}

async function getLinked(client: Purser, projectId: string, linkId: string): Promise<Link> {
  const link = await client.projects.links.get(projectId, linkId);
  if (link.status === "linked") return link;
  throw new Error(`The link to ${link.provider} is ${link.status}: ${link.error}.`);
}
