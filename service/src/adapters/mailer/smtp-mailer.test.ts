import { describe, expect, it } from "vitest";
import { startSmtpServer } from "../../../test/smtp-server.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";

const MAIL = {
  id: "mail_01",
  to: "ada@example.com",
  subject: "Grüße",
  text: "Follow https://purser.test/verify?token=abc\n",
  html: '<a href="https://purser.test/verify?token=abc">Verify</a>',
};

describe("createSmtpMailer", () => {
  it("sends the complete email, with a Message-ID derived from its id", async () => {
    const { received, url } = await startSmtpServer();
    const mailer = createSmtpMailer({ url, from: "Purser <purser@purser.test>" });

    await mailer.send(MAIL);

    expect(received).toContain("MAIL FROM:<purser@purser.test>");
    expect(received).toContain("RCPT TO:<ada@example.com>");
    const data = received.join("\n");
    expect(data).toContain("Message-ID: <mail_01@purser.test>");
    expect(data).toContain("From: Purser <purser@purser.test>");
    expect(data).toContain("Auto-Submitted: auto-generated");
    expect(data).toContain("https://purser.test/verify?token=abc");
    expect(data).toContain("text/html");
  });

  it("treats the recipient as one address, even if it contains a comma", async () => {
    const { received, url } = await startSmtpServer();
    const mailer = createSmtpMailer({ url, from: "Purser <purser@purser.test>" });

    await mailer.send({ ...MAIL, to: "ada@example.com, eve@example.com" }).catch(() => {});

    const recipients = received.filter((line) => line.startsWith("RCPT"));
    expect(recipients).not.toContain("RCPT TO:<ada@example.com>");
    expect(recipients).not.toContain("RCPT TO:<eve@example.com>");
  });

  it("rejects with another error: the server rejects the credentials (535)", async () => {
    const { url } = await startSmtpServer({
      EHLO: "250-test\r\n250 AUTH PLAIN",
      AUTH: "535 bad credentials",
    });
    const mailer = createSmtpMailer({
      url: url.replace("smtp://", "smtp://user:secret@"),
      from: "purser@purser.test",
    });

    await expect(mailer.send(MAIL)).rejects.toMatchObject({ name: "Error", code: "EAUTH" });
  });
});
