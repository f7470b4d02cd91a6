import type { Purser } from "@purser/sdk";
import type { Environment } from "@purser/service/config/reader.ts";
import { waitForEmail } from "@purser/simulators/mailbox/wait-for-email.ts";
import { approveByLink } from "./approve-by-link.ts";
import type { DemoContext } from "./run-demo.ts";

const MAIL_TIMEOUT_MS = 10_000;

/** Waits for the email about an approval, whose subject starts with `subject`, opens its link and approves. */
export async function approveByEmail(
  { developer, mailboxUrl, steps }: Pick<DemoContext, "mailboxUrl" | "steps"> & { readonly developer: Purser },
  environment: Environment,
  { subject }: { readonly subject: string },
): Promise<void> {
  const url = await steps.do("Receive the email", async () => {
    const { email } = await developer.developers.me();
    const mail = await waitForEmail(mailboxUrl, {
      to: email,
      subjectIncludes: subject,
      timeoutMs: MAIL_TIMEOUT_MS,
    });
    const link = mail.links.find((candidate) => candidate.includes("/approve/")) ?? "";
    return { result: link, message: `“${mail.subject}”` };
  });
  await steps.do("Open its link and approve", async () => {
    const how = await approveByLink(url, environment);
    return { result: how, message: how };
  });
}
