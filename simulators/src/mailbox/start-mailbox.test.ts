import { connect } from "node:net";
import { createInterface } from "node:readline";
import { createTransport, type SendMailOptions } from "nodemailer";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase } from "../../../service/test/database.ts";
import { openMessageStore } from "./message-store.ts";
import { startMailbox } from "./start-mailbox.ts";
import { waitForEmail } from "./wait-for-email.ts";

const RECEIVED_AT = new Date("2026-01-01T12:00:00.000Z");
const HEADERS = [
  "From: Purser <no-reply@purser.test>",
  "To: ada@example.test",
  "Date: Thu, 01 Jan 2026 12:00:00 +0000",
  "Subject: Hello",
];

describe("startMailbox", () => {
  const clock = { now: () => RECEIVED_AT };
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let mailbox: Awaited<ReturnType<typeof startMailbox>>;
  const start = () =>
    startMailbox({
      databaseUrl: database.url,
      host: "127.0.0.1",
      smtpPort: 0,
      httpPort: 0,
      clock,
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    mailbox = await start();
  });
  beforeEach(async () => {
    await get("/api/messages", { method: "DELETE" });
  });
  afterAll(async () => {
    await mailbox.close();
  });

  async function get(path: string, init?: RequestInit) {
    const response = await fetch(new URL(path, mailbox.url), init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  async function send(mail: SendMailOptions) {
    const transport = createTransport(mailbox.smtpUrl);
    const defaults = {
      from: "Purser <no-reply@purser.test>",
      to: "ada@example.test",
      subject: "Hello",
    };
    try {
      return await transport.sendMail({ ...defaults, ...mail });
    } finally {
      transport.close();
    }
  }

  /**
   * Sends raw SMTP commands, including invalid ones that nodemailer cannot send. Returns the last line of each reply.
   */
  async function sendCommands(...commands: string[]): Promise<string[]> {
    const { hostname, port } = new URL(mailbox.smtpUrl);
    const socket = connect(Number(port), hostname);
    const replies: string[] = [];
    const unsent = ["EHLO client.test", ...commands, "QUIT"];
    for await (const line of createInterface({ input: socket })) {
      if (/^\d{3}-/.test(line)) continue;
      replies.push(line);
      const command = unsent.shift();
      if (command === undefined) socket.end();
      else socket.write(`${command}\r\n`);
    }
    return replies.slice(2, -1);
  }

  const sendRawMessage = async (headers: readonly string[], body = "Hi") =>
    (
      await sendCommands(
        "MAIL FROM:<no-reply@purser.test>",
        "RCPT TO:<ada@example.test>",
        "DATA",
        `${headers.join("\r\n")}\r\n\r\n${body}\r\n.`,
      )
    ).at(-1);

  const messagesTo = async (address: string) =>
    (await get(`/api/messages?to=${encodeURIComponent(address)}`)).body.data;

  it("200: an email received over SMTP, with its parts and links", async () => {
    await send({
      subject: "Verify your address ✓",
      text: "Open https://purser.test/verify?token=a&next=b",
      html: '<a href="https://purser.test/verify?token=a&amp;next=b">Verify</a>',
    });

    expect((await get("/api/messages?to=ada@example.test")).body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
          to: "ada@example.test",
          subject: "Verify your address ✓",
          text: "Open https://purser.test/verify?token=a&next=b\n",
          html: '<a href="https://purser.test/verify?token=a&amp;next=b">Verify</a>\n',
          links: ["https://purser.test/verify?token=a&next=b"],
          received_at: "2026-01-01T12:00:00.000Z",
        },
      ],
    });
  });

  it("200: one email by its ID, with null for a missing part", async () => {
    await send({ text: "Hi" });
    const [listed] = await messagesTo("ada@example.test");

    const { status, body } = await get(`/api/messages/${listed.id}`);

    expect(status).toBe(200);
    expect(body).toEqual({ ...listed, html: null });
  });

  it("200: the newest messages first, filtered by address and limited", async () => {
    await send({ subject: "First" });
    await send({ subject: "Second", to: "bob@example.test" });
    await send({ subject: "Third" });
    const subjects = async (query: string) =>
      (await get(`/api/messages${query}`)).body.data.map((message: { subject: string }) => message.subject);

    expect(await subjects("")).toEqual(["Third", "Second", "First"]);
    expect(await subjects("?limit=2")).toEqual(["Third", "Second"]);
    expect(await subjects("?to=ada@example.test")).toEqual(["Third", "First"]);
  });

  it("200: the address filter ignores case", async () => {
    await send({ to: "Ada@Example.test" });

    expect(await messagesTo("aDA@eXAMPLE.TEST")).toHaveLength(1);
    expect(await messagesTo("ada@example.tes")).toHaveLength(0);
  });

  it("200: an international domain in Unicode and in ASCII", async () => {
    await send({ to: "ada@bücher.test" });

    expect(await messagesTo("ada@bücher.test")).toHaveLength(1);
    expect(await messagesTo("ada@xn--bcher-kva.test")).toHaveLength(1);
  });

  it("stores one message for each recipient, including Bcc", async () => {
    await send({ to: ["ada@example.test", "bob@example.test"], bcc: "eve@example.test" });

    const copies = await Promise.all(["ada", "bob", "eve"].map((name) => messagesTo(`${name}@example.test`)));

    expect(copies.map((messages) => messages.length)).toEqual([1, 1, 1]);
    expect(new Set(copies.map(([message]) => message.id)).size).toBe(3);
  });

  it("stores an email that contains NUL characters", async () => {
    await send({ subject: "a\0b", text: Buffer.from("x\0y"), textEncoding: "base64" });

    expect(await messagesTo("ada@example.test")).toMatchObject([{ text: "x\uFFFDy" }]);
  });

  it("204: deletes all messages", async () => {
    await send({});

    const response = await get("/api/messages", { method: "DELETE" });

    expect([response.status, response.text]).toEqual([204, ""]);
    expect((await get("/api/messages")).body).toEqual({ data: [] });
  });

  it("messages survive a restart", async () => {
    await send({ subject: "Before" });
    const before = await messagesTo("ada@example.test");
    await mailbox.close();

    mailbox = await start();

    expect(before).toHaveLength(1);
    expect(await messagesTo("ada@example.test")).toEqual(before);
  });

  it("starts several times concurrently on an empty database", async () => {
    const empty = await createTestDatabase();

    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openMessageStore({ databaseUrl: empty.url, messagesMax: 1 })),
    );

    expect(await Promise.all(stores.map((store) => store.list({ limit: 1 })))).toEqual(
      Array.from({ length: 6 }, () => []),
    );
    await Promise.all(stores.map((store) => store.close()));
  });

  it("deletes the oldest messages above the limit", async () => {
    const store = await openMessageStore({ databaseUrl: database.url, messagesMax: 3 });
    const mail = { sender: "a@b.test", text: null, html: null, links: [] };
    const add = (subject: string, ...recipients: string[]) =>
      store.add({ mail: { ...mail, subject }, recipients, receivedAt: RECEIVED_AT });

    await add("1", "a@b.test");
    await add("2", "a@b.test");
    await add("3", "a@b.test");
    await add("4", "a@b.test", "c@d.test");

    const stored = await store.list({ limit: 10 });
    expect(stored.map(({ subject }) => subject)).toEqual(["4", "4", "3"]);
    await store.close();
  });

  it("EADDRINUSE if the SMTP port is taken, and all connections are closed; a taken HTTP port is replaced with a free one", async () => {
    const unused = await createTestDatabase();
    const client = new Client({ connectionString: unused.url });
    await client.connect();
    const [smtpPort, httpPort] = [mailbox.smtpUrl, mailbox.url].map((url) => Number(new URL(url).port));
    const startOn = (ports: { smtpPort?: number; httpPort?: number }) =>
      startMailbox({
        databaseUrl: unused.url,
        host: "127.0.0.1",
        smtpPort: 0,
        httpPort: 0,
        ...ports,
      });

    await expect(startOn({ smtpPort: smtpPort ?? 0 })).rejects.toThrow("EADDRINUSE");
    const elsewhere = await startOn({ httpPort: httpPort ?? 0 });
    expect(elsewhere.url).not.toBe(mailbox.url);
    await elsewhere.close();

    const otherConnections = () =>
      client.query(
        "select 1 from pg_stat_activity where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()",
      );
    await expect.poll(async () => (await otherConnections()).rowCount).toBe(0);
    await client.end();
  });

  it("close waits for an email in progress and accepts no more", async () => {
    const closing = await start();
    const { hostname, port } = new URL(closing.smtpUrl);
    const socket = connect(Number(port), hostname);
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const exchange = async (text: string) => {
      socket.write(text);
      return (await lines.next()).value;
    };
    await lines.next();
    await exchange("HELO client.test\r\n");
    await exchange("MAIL FROM:<no-reply@purser.test>\r\n");
    await exchange("RCPT TO:<late@example.test>\r\n");
    await exchange("DATA\r\n");

    const closed = closing.close();
    const reply = await exchange(`${HEADERS.join("\r\n")}\r\n\r\nHi\r\n.\r\n`);
    socket.end("QUIT\r\n");
    await closed;

    expect(reply).toMatch(/^250 /);
    expect(await messagesTo("late@example.test")).toHaveLength(1);
    await expect(fetch(closing.url)).rejects.toThrow();
    await expect(closing.close()).resolves.toBeUndefined();
  });

  it("recovers after Postgres closes its connections", async () => {
    await send({});
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await client.end();

    await expect.poll(async () => (await get("/api/messages")).status).toBe(200);
    await expect
      .poll(() =>
        send({}).then(
          () => "sent",
          () => "refused",
        ),
      )
      .toBe("sent");
  });

  it("451 and 500: the table is missing; the reply does not contain the cause", async () => {
    const broken = await createTestDatabase();
    const other = await startMailbox({
      databaseUrl: broken.url,
      host: "127.0.0.1",
      smtpPort: 0,
      httpPort: 0,
    });
    const client = new Client({ connectionString: broken.url });
    await client.connect();
    await client.query("drop table mailbox_messages");
    await client.end();

    const response = await fetch(new URL("/api/messages", other.url));
    const text = await response.text();
    const transport = createTransport(other.smtpUrl);
    const sending = transport.sendMail({ from: "a@b.test", to: "c@d.test", text: "Hi" });

    await expect(sending).rejects.toMatchObject({ responseCode: 451 });
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    expect(text).not.toContain("relation");
    transport.close();
    await other.close();
  });

  describe("SMTP", () => {
    it.each([
      ["From", HEADERS.filter((header) => !header.startsWith("From"))],
      ["From", ["From: b@c.test", ...HEADERS]],
      ["From", ["From: Ada <>", ...HEADERS.slice(1)]],
      ["To", HEADERS.filter((header) => !header.startsWith("To"))],
      ["To", HEADERS.with(1, "To: undisclosed-recipients:;")],
      ["To", HEADERS.with(1, "To: ada@localhost")],
      ["Date", HEADERS.filter((header) => !header.startsWith("Date"))],
      ["Date", HEADERS.with(2, "Date: yesterday")],
    ])("550: missing or invalid header %s", async (header, headers) => {
      expect(await sendRawMessage(headers)).toMatch(new RegExp(`^550 .*${header}`));
      expect(await messagesTo("ada@example.test")).toEqual([]);
    });

    it("250: a message with all headers", async () => {
      expect(await sendRawMessage(HEADERS)).toMatch(/^250 /);
      expect(await messagesTo("ada@example.test")).toMatchObject([{ subject: "Hello", text: "Hi\n" }]);
    });

    it("552: more than 1 MiB, with and without SIZE; 250: slightly less", async () => {
      const line = `${"x".repeat(998)}\r\n`;
      const announced = await sendCommands(`MAIL FROM:<a@b.test> SIZE=${1024 * 1024 + 1}`);

      expect(announced[0]).toMatch(/^552 /);
      expect(await sendRawMessage(HEADERS, line.repeat(1_060))).toMatch(/^552 /);
      expect(await messagesTo("ada@example.test")).toEqual([]);
      expect(await sendRawMessage(HEADERS, line.repeat(1_040))).toMatch(/^250 /);
      expect(await messagesTo("ada@example.test")).toHaveLength(1);
    });

    it("503: a message without a recipient", async () => {
      expect((await sendCommands("MAIL FROM:<a@b.test>", "DATA")).at(-1)).toMatch(/^503 /);
    });

    it("452: the 51st recipient", async () => {
      const recipients = Array.from({ length: 51 }, (_, index) => `RCPT TO:<r${index}@example.test>`);

      const replies = await sendCommands("MAIL FROM:<a@b.test>", ...recipients);

      expect(replies.slice(1, 51).every((reply) => reply.startsWith("250 "))).toBe(true);
      expect(replies[51]).toMatch(/^452 /);
    });

    it.each([
      "ada",
      "ada@",
      "@example.test",
      "ada@localhost",
      "ada@[127.0.0.1]",
      "a da@example.test",
      "ada..b@example.test",
      "ada@example..test",
      "ada@exa_mple.test",
      `${"a".repeat(65)}@example.test`,
      `ada@${"a".repeat(250)}.test`,
    ])("501 or 553: the malformed address %s as sender and as recipient", async (address) => {
      const [sender] = await sendCommands(`MAIL FROM:<${address}>`);
      const [, recipient] = await sendCommands("MAIL FROM:<a@b.test>", `RCPT TO:<${address}>`);

      expect(sender).toMatch(/^(501|553) /);
      expect(recipient).toMatch(/^(501|553) /);
    });

    it("250: a bounce, which has an empty sender", async () => {
      expect((await sendCommands("MAIL FROM:<>"))[0]).toMatch(/^250 /);
    });
  });

  describe("HTTP", () => {
    it.each([
      ["404", "/api/nothing", {}],
      ["404", `/api/messages/msg_${"0".repeat(32)}`, {}],
      ["404", "/api/messages/nonsense", {}],
      ["404", "/api/messages", { method: "POST" }],
      ["422", "/api/messages?surprise=1", {}],
      ["422", "/api/messages?surprise=1", { method: "DELETE" }],
      ["422", "/api/messages/nonsense?surprise=1", {}],
      ["422", "/?surprise=1", {}],
      ["422", "/api/messages?to=", {}],
      ["422", "/api/messages?to=a@b.test&to=c@d.test", {}],
      ["422", "/api/messages?limit=0", {}],
      ["422", "/api/messages?limit=101", {}],
      ["422", "/api/messages?limit=ten", {}],
      ["400", "/api/messages/%zz", {}],
    ])("%s: problem document for %s", async (status, path, init) => {
      await send({});

      const response = await get(path, init);

      expect(response.status).toBe(Number(status));
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.body).toMatchObject({
        status: Number(status),
        title: expect.any(String),
        detail: expect.any(String),
      });
      expect(await messagesTo("ada@example.test")).toHaveLength(1);
    });

    it("421: host name other than loopback (DNS rebinding)", async () => {
      await send({});
      const { hostname, port } = new URL(mailbox.url);
      const socket = connect(Number(port), hostname);
      socket.write("GET /api/messages HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n");

      let response = "";
      for await (const chunk of socket) response += chunk;

      expect(response).toMatch(/^HTTP\/1.1 421 /);
      expect(response).not.toContain("ada@example.test");
    });

    it.each(["/", "/api/messages", "/sandbox/page.css", "/refresh.js", "/messages/nonsense"])(
      "no-store and security headers: %s",
      async (path) => {
        const { headers } = await get(path);

        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("referrer-policy")).toBe("no-referrer");
        expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      },
    );
  });

  describe("pages", () => {
    it("200: the list shows sender, recipient, subject and time, filtered by address", async () => {
      await send({ subject: "For Ada" });
      await send({ subject: "For Bob", to: "bob@example.test" });

      const all = (await get("/")).text;
      const bobs = (await get("/?to=Bob@Example.test")).text;

      expect(all).toContain("For Ada");
      expect(all).toContain("To bob@example.test, from Purser &lt;no-reply@purser.test&gt;");
      expect(all).toContain("2026-01-01 12:00:00 UTC");
      expect(bobs).toContain("For Bob");
      expect(bobs).not.toContain("For Ada");
      expect((await get("/?to=")).text).toContain("For Ada");
      expect((await get("/?to=eve@example.test")).text).toContain("No mail to eve@example.test yet");
    });

    it("200: an email's text and link buttons", async () => {
      await send({ subject: "Verify", text: "Open https://purser.test/verify?a=1&b=2" });
      const [{ id }] = await messagesTo("ada@example.test");

      const { text } = await get(`/messages/${id}`);

      expect(text).toContain("<h1>Verify</h1>");
      expect(text).toContain('<a href="https://purser.test/verify?a=1&amp;b=2"');
      expect(text).not.toContain("<iframe");
    });

    it("404: a page for a missing message", async () => {
      const { status, text } = await get("/messages/nonsense");

      expect(status).toBe(404);
      expect(text).toContain("Message not found");
    });

    it("escapes markup in an email", async () => {
      const attack = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
      await send({
        from: { name: attack, address: "no-reply@purser.test" },
        subject: attack,
        text: attack,
        html: `<p>${attack}</p><a href='https://x.test/"><script>alert(2)</script>'>x</a>`,
      });
      const [{ id }] = await messagesTo("ada@example.test");

      const pages = await Promise.all([get("/"), get(`/messages/${id}`), get(`/?to=${encodeURIComponent(attack)}`)]);

      for (const { text } of pages) {
        expect(text).toContain("&lt;script&gt;");
        expect(text).not.toMatch(/<script(?! src="\/refresh\.js" defer>)|<img/i);
      }
    });

    it("shows an email's HTML in a sandboxed frame without scripts or requests", async () => {
      await send({ html: '<script>alert(1)</script><img src="https://tracker.test/pixel">' });
      const [{ id }] = await messagesTo("ada@example.test");

      const { text, headers } = await get(`/messages/${id}`);

      const [, sandbox, frame] = /<iframe[^>]*sandbox="([^"]*)"[^>]*srcdoc="([^"]*)"/.exec(text) ?? [];
      expect(sandbox?.split(" ")).toEqual(["allow-popups", "allow-popups-to-escape-sandbox"]);
      expect(frame).toMatch(
        /^&lt;!doctype html&gt;&lt;meta http-equiv=&quot;Content-Security-Policy&quot; content=&quot;default-src &#39;none&#39;/,
      );
      // The frame inherits the page's policy, so the page's policy must not allow scripts or requests to other hosts.
      const policy = headers.get("content-security-policy");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|frame-src|connect-src|https?:/);
      expect(policy).toContain("img-src data:");
    });
  });

  describe("waitForEmail", () => {
    it("returns an email that arrives later", async () => {
      const waiting = waitForEmail(mailbox.url, { to: "ada@example.test", timeoutMs: 10_000 });

      await send({ subject: "Here" });

      expect(await waiting).toMatchObject({ subject: "Here", to: "ada@example.test" });
    });

    it("returns the newest email that matches the subject and the time", async () => {
      await send({ subject: "Verify 1" });
      await send({ subject: "Verify 2" });
      await send({ subject: "Welcome" });
      const expected = { to: "ada@example.test", subjectIncludes: "Verify", timeoutMs: 500 };

      expect(await waitForEmail(mailbox.url, { ...expected, after: RECEIVED_AT })).toMatchObject({
        subject: "Verify 2",
      });
      await expect(
        waitForEmail(mailbox.url, { ...expected, after: new Date(RECEIVED_AT.getTime() + 1) }),
      ).rejects.toThrow('No mail to ada@example.test about "Verify" within 500 ms');
    });

    it("throws after the timeout, with the received subjects", async () => {
      await send({ subject: "Welcome" });
      const expected = { to: "ada@example.test", subjectIncludes: "Verify", timeoutMs: 200 };

      await expect(waitForEmail(mailbox.url, expected)).rejects.toThrow("Received: Welcome");
    });
  });
});
