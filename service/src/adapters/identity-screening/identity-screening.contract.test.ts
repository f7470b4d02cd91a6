import { inspect } from "node:util";
import { plaidSimulator } from "@purser/simulators/plaid/plaid-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { answering, startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import type { IdentityScreening } from "../../ports/identity-screening.ts";
import { createPlaidScreening } from "./plaid-screening.ts";

/** All `IdentityScreening` adapters. A new adapter needs a function that returns its `Subject`. */
const ADAPTERS = [{ name: "Plaid", start: startPlaid }] as const;

const CREDENTIALS = {
  clientId: "client-id-of-purser",
  secrets: { live: "secret-of-live-mode", test: "secret-of-test-mode" },
};
type Respond = Parameters<typeof startMisbehavingVendor>[0];

const TYPES = ["individual", "business"] as const;

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  readonly open: (url: string, timeoutMs: number) => IdentityScreening;
  /** The vendor's answer that there are programs to screen with, by request. */
  readonly programs: Readonly<Record<string, object>>;
}

async function startPlaid(): Promise<Subject> {
  const [archived, program] = [
    { id: "prg_old", is_archived: true },
    { id: "prg_1", is_archived: false },
  ];
  return {
    vendor: await startTestVendor(plaidSimulator({ credentials: CREDENTIALS })),
    open: (apiUrl, timeoutMs) =>
      createPlaidScreening({ clientId: CREDENTIALS.clientId, secret: CREDENTIALS.secrets.test, apiUrl, timeoutMs }),
    programs: {
      "POST /watchlist_screening/individual/program/list": { watchlist_programs: [archived, program] },
      "POST /watchlist_screening/entity/program/list": { entity_watchlist_programs: [archived, program] },
    },
  };
}

describe.each(ADAPTERS)("identity screening $name", ({ start }) => {
  let subject: Subject;
  let screening: IdentityScreening;
  beforeAll(async () => {
    subject = await start();
    screening = subject.open(subject.vendor.url, 5_000);
  });
  afterAll(() => subject.vendor.close());
  afterEach(() => {
    expect(subject.vendor.requests.counts().invalid).toBe(0);
  });

  describe.each(TYPES)("of type %s", (type) => {
    const holder = { type, legalName: "Ada Lovelace", country: "US", clientUserId: "holder_1" };

    it.each([
      ["Ada Lovelace", "cleared"],
      ["Ada Hit Listed", "pending_review"],
      ["Ada Hit Rejected", "rejected"],
    ])("%s is %s, also when it is read again", async (legalName, status) => {
      const made = await screening.screen({ ...holder, legalName });

      expect(made.status).toBe(status);
      expect(await screening.readScreening({ type, screeningId: made.screeningId })).toBe(status);
    });

    it("looks the program up once", async () => {
      const opened = subject.open(subject.vendor.url, 5_000);
      const lookUps = () => subject.vendor.requests.list().filter(({ path }) => path.endsWith("/program/list")).length;
      const before = lookUps();

      await opened.screen(holder);
      await opened.screen(holder);

      expect(lookUps()).toBe(before + 1);
    });

    it("refused: the operator has no program that is not archived", async () => {
      const archived = [{ id: "prg_old", is_archived: true }];
      const url = await startMisbehavingVendor((response) => {
        response.end(JSON.stringify({ watchlist_programs: archived, entity_watchlist_programs: archived }));
      });

      const refusal = { failure: "refused", vendorMessage: expect.stringContaining("Create one in Plaid's dashboard") };
      await expect(subject.open(url, 5_000).screen(holder)).rejects.toMatchObject(refusal);
    });

    it.each<[string, string, Respond]>([
      ["does not respond", "unknown", () => {}],
      ["responds with 500", "unknown", (response) => response.writeHead(500).end("{}")],
      [
        "describes another holder",
        "unknown",
        (response) => response.end('{"id":"x","status":"cleared","client_user_id":"x","search_terms":{}}'),
      ],
      ["limits the rate", "rate_limited", (response) => response.writeHead(429).end("{}")],
    ])("the creation at a vendor that %s is %s", async (_what, failure, respond) => {
      const answer = answering(subject.programs);
      const url = await startMisbehavingVendor((response, request) =>
        request in subject.programs ? answer(response, request) : respond(response, request),
      );

      await expect(subject.open(url, 200).screen(holder)).rejects.toMatchObject({ failure });
    });

    it.each<[string, Respond]>([
      ["does not respond", () => {}],
      ["responds with 500", (response) => response.writeHead(500).end("{}")],
      ["describes another screening", (response) => response.end('{"id":"other","status":"cleared"}')],
      ["has an unknown status", (response) => response.end('{"id":"asked","status":"fine"}')],
    ])("reading from a vendor that %s is unavailable", async (_what, respond) => {
      const opened = subject.open(await startMisbehavingVendor(respond), 200);
      const read = opened.readScreening({ type, screeningId: "asked" });
      await expect(read).rejects.toMatchObject({ failure: "unavailable" });
    });

    it("unavailable: the connection is refused", async () => {
      const opened = subject.open(await unreachableUrl(), 5_000);
      await expect(opened.screen(holder)).rejects.toMatchObject({ failure: "unavailable" });
    });

    it("the error contains no secret and no name that the vendor echoes", async () => {
      const answer = answering(subject.programs);
      const url = await startMisbehavingVendor((response, request) => {
        if (request in subject.programs) return answer(response, request);
        const error_message = `no: ${CREDENTIALS.secrets.test} ${holder.legalName}`;
        response.writeHead(400).end(JSON.stringify({ error_code: CREDENTIALS.secrets.test, error_message }));
      });

      const error: unknown = await subject
        .open(url, 5_000)
        .screen(holder)
        .catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({ failure: "refused", vendorMessage: "400 no: [redacted] [redacted]" });
      expect(inspect(error, { depth: 10 })).not.toContain(CREDENTIALS.secrets.test);
    });
  });
});
