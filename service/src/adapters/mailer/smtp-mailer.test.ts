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

/** As much of an SMTP server as takes a mail, unless it is told to answer otherwise. */
async function startServer(answers: Readonly<Record<string, string>> = {}) {
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
      socket.write(`${answerTo(line, answers)}\r\n`);
    });
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return { received, url: `smtp://127.0.0.1:${address.port}` };
}

/** @param answers by the command that they answer */
function answerTo(line: string, answers: Readonly<Record<string, string>>): string {
  const command = Object.keys(answers).find((name) => line.startsWith(name)) ?? "";
  return answers[command] ?? (line === "DATA" ? "354 go on" : "250 ok");
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

  it.each([
    ["550 no such mailbox", "RCPT", "RecipientRefusedError"],
    ["553 not allowed", "RCPT", "RecipientRefusedError"],
    ["450 try again later", "RCPT", "Error"],
    ["550 sender refused", "MAIL", "Error"],
    ["554 no", "DATA", "Error"],
    ["421 closing", "MAIL", "Error"],
  ])("rejects %s to %s with %s", async (answer, command, name) => {
    const { url } = await startServer({ [command]: answer });
    const mailer = createSmtpMailer({ url, from: "Purser <purser@purser.test>" });

    await expect(mailer.send(MAIL)).rejects.toMatchObject({ name });
  });

  it("rejects 535 to our own credentials with Error", async () => {
    const { url } = await startServer({
      EHLO: "250-test\r\n250 AUTH PLAIN",
      AUTH: "535 bad credentials",
    });
    const mailer = createSmtpMailer({
      url: url.replace("smtp://", "smtp://user:secret@"),
      from: "purser@purser.test",
    });

    await expect(mailer.send(MAIL)).rejects.toMatchObject({ name: "Error", code: "EAUTH" });
  });

  it("rejects when there is no server", async () => {
    const mailer = createSmtpMailer({ url: "smtp://127.0.0.1:1", from: "purser@purser.test" });

    await expect(mailer.send(MAIL)).rejects.toMatchObject({ code: "ESOCKET" });
  });
});
