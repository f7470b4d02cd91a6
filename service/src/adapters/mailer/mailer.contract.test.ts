import { describe, expect, it } from "vitest";
import { startSmtpServer } from "../../../test/smtp-server.ts";
import { unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import { type Mailer, RecipientRejectedError } from "../../ports/mailer.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";

/** All `Mailer` adapters. `open` creates a mailer for the SMTP server at the given URL. */
const ADAPTERS: readonly { readonly name: string; readonly open: (url: string) => Mailer }[] = [
  { name: "SMTP", open: (url) => createSmtpMailer({ url, from: "Purser <purser@purser.test>" }) },
];

const MAIL = {
  id: "mail_01",
  to: "ada@example.com",
  subject: "Grüße",
  text: "Follow https://purser.test/verify?token=abc\n",
  html: '<a href="https://purser.test/verify?token=abc">Verify</a>',
};

describe.each(ADAPTERS)("$name mailer", ({ open }) => {
  it("sends the complete email, with the same Message-ID each time", async () => {
    const { received, url } = await startSmtpServer();

    await open(url).send(MAIL);
    await open(url).send(MAIL);

    expect(received.filter((line) => line === "RCPT TO:<ada@example.com>")).toHaveLength(2);
    const ids = received.filter((line) => line.startsWith("Message-ID: "));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toContain(MAIL.id);
    const data = received.join("\n");
    for (const part of ["https://purser.test/verify?token=abc", "text/plain", "text/html"]) {
      expect(data).toContain(part);
    }
  });

  it.each([
    ["550 no such mailbox", "RCPT"],
    ["553 not allowed", "RCPT"],
  ])("rejects with RecipientRejectedError: the server responds to %s with %s", async (reply, command) => {
    const { url } = await startSmtpServer({ [command]: reply });

    await expect(open(url).send(MAIL)).rejects.toBeInstanceOf(RecipientRejectedError);
  });

  it.each([
    ["450 try again later", "RCPT"],
    ["550 sender refused", "MAIL"],
    ["554 no", "DATA"],
    ["421 closing", "MAIL"],
  ])("rejects with another error: the server responds to %s with %s", async (reply, command) => {
    const { url } = await startSmtpServer({ [command]: reply });

    const thrown: unknown = await open(url)
      .send(MAIL)
      .catch((error: unknown) => error);

    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(RecipientRejectedError);
  });

  it("rejects with another error: the connection is refused", async () => {
    const url = (await unreachableUrl()).replace("http:", "smtp:");

    await expect(open(url).send(MAIL)).rejects.toMatchObject({ code: "ESOCKET" });
  });
});
