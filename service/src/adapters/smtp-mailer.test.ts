import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { createSmtpMailer } from "./smtp-mailer.ts";

const MAIL = {
  id: "mail_01",
  to: "ada@example.com",
  subject: "Grüße",
  text: "Follow https://purser.test/verify?token=abc\n",
  html: '<a href="https://purser.test/verify?token=abc">Verify</a>',
};

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** As much of an SMTP server as takes a mail, or refuses its recipient. */
async function startServer({ refusesRecipients = false } = {}) {
  const received: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write("220 test\r\n");
    let inData = false;
    createInterface(socket).on("line", (line) => {
      received.push(line);
      if (inData && line !== ".") return;
      inData = line === "DATA";
      socket.write(`${answerTo(line, refusesRecipients)}\r\n`);
    });
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return { received, url: `smtp://127.0.0.1:${address.port}` };
}

function answerTo(line: string, refusesRecipients: boolean): string {
  if (line === "DATA") return "354 go on";
  return refusesRecipients && line.startsWith("RCPT") ? "550 nobody" : "250 ok";
}

describe("the SMTP mailer", () => {
  it("hands a mail over whole, under a Message-ID made of its id", async () => {
    const { received, url } = await startServer();
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

  it("takes a recipient for one address, whatever stands in it", async () => {
    const { received, url } = await startServer();
    const mailer = createSmtpMailer({ url, from: "Purser <purser@purser.test>" });

    await mailer.send({ ...MAIL, to: "ada@example.com, eve@example.com" }).catch(() => {});

    const recipients = received.filter((line) => line.startsWith("RCPT"));
    expect(recipients).not.toContain("RCPT TO:<ada@example.com>");
    expect(recipients).not.toContain("RCPT TO:<eve@example.com>");
  });

  it("rejects when the server does not take the mail", async () => {
    const { url } = await startServer({ refusesRecipients: true });
    const mailer = createSmtpMailer({ url, from: "Purser <purser@purser.test>" });

    await expect(mailer.send(MAIL)).rejects.toMatchObject({ code: "EENVELOPE" });
  });

  it("rejects when there is no server", async () => {
    const mailer = createSmtpMailer({ url: "smtp://127.0.0.1:1", from: "purser@purser.test" });

    await expect(mailer.send(MAIL)).rejects.toMatchObject({ code: "ESOCKET" });
  });
});
