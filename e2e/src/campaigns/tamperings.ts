import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "@purser/sdk";

/** A chain as it was before anybody touched it. */
export interface Chain {
  readonly tenantId: string;
  readonly lines: readonly string[];
  /** How many of its entries are below the newest checkpoint. */
  readonly anchored: number;
}

/** One way of changing a chain at one place: in the database by its superuser, and in an export of it. */
export interface Tampering {
  readonly name: string;
  /** Whether nothing can know of it, since all of it is above the newest checkpoint. */
  readonly isUnanchored: boolean;
  readonly statements: readonly string[];
  readonly lines: () => readonly string[];
}

type Line = Readonly<Record<string, Json>>;

/** A kind of change at a place from 1 to the chain's length. Undefined where it comes to the same as a cut, which is a kind of its own. */
type Kind = (chain: Chain, place: number) => Tampering | undefined;

const read = (line: string | undefined): Line => JSON.parse(line ?? "{}");
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const own = ({ tenantId }: Chain) => `tenant_id = ${text(tenantId)} and chain = 'tenant'`;

function entryAt(chain: Chain, place: number): string {
  return `tenant_id = ${text(chain.tenantId)} and audit_id = ${text(String(read(chain.lines[place - 1])["audit_id"]))}`;
}

function linkAt(chain: Chain, place: number): string {
  return `${own(chain)} and sequence = ${place}`;
}

/** What is put in a field's place, in the line and as SQL. The link's own fields are no columns of the entry. */
const FIELDS: Readonly<Record<string, readonly [value: Json, sql: string]>> = {
  mode: ["test", "'test'"],
  actor: [
    { type: "system", id: "mallory", key_id: null, ip: null },
    `'{"type":"system","id":"mallory","key_id":null,"ip":null}'`,
  ],
  action: ["note.burnt", "'note.burnt'"],
  subject: [{ type: "note", id: "note_0" }, `'{"type":"note","id":"note_0"}'`],
  facts: [{ number: -1 }, `'{"number":-1}'`],
  request_id: ["req_mallory", "'req_mallory'"],
  occurred_at: ["2020-01-01T00:00:00.000Z", "'2020-01-01T00:00:00Z'"],
};

const changedField =
  (field: string, [value, sql]: readonly [Json, string]): Kind =>
  (chain, place) => ({
    name: `changed ${field}`,
    isUnanchored: false,
    statements: [`update audit_entries set ${field} = ${sql} where ${entryAt(chain, place)}`],
    lines: () => withLine(chain, place, { [field]: value }),
  });

const changedLink =
  (field: "hash" | "prev_hash"): Kind =>
  (chain, place) => ({
    name: `changed ${field}`,
    isUnanchored: false,
    statements: [
      `update audit_links set ${field} = ${text("f".repeat(64))} where ${linkAt(chain, place)}`,
    ],
    lines: () => withLine(chain, place, { [field]: "f".repeat(64) }),
  });

function withLine({ lines }: Chain, place: number, fields: Line): string[] {
  return lines.with(place - 1, canonicalJson({ ...read(lines[place - 1]), ...fields }));
}

const deleted: Kind = (chain, place) =>
  place === chain.lines.length
    ? undefined
    : {
        name: "deleted",
        isUnanchored: false,
        statements: [
          `delete from audit_links where ${linkAt(chain, place)}`,
          `delete from audit_entries where ${entryAt(chain, place)}`,
        ],
        lines: () => chain.lines.toSpliced(place - 1, 1),
      };

const inserted: Kind = (chain, place) => ({
  name: "inserted",
  isUnanchored: false,
  statements: [
    `insert into audit_entries select tenant_id, 'aud_mallory', chain, mode, actor, action, subject, facts, request_id, occurred_at
     from audit_entries where ${entryAt(chain, place)}`,
    // In two steps, so that no two of them ever have the same place.
    `update audit_links set sequence = -sequence - 1 where ${own(chain)} and sequence >= ${place}`,
    `update audit_links set sequence = -sequence where ${own(chain)} and sequence < 0`,
    `insert into audit_links (tenant_id, chain, sequence, audit_id, prev_hash, hash)
     values (${text(chain.tenantId)}, 'tenant', ${place}, 'aud_mallory', ${text("e".repeat(64))}, ${text("f".repeat(64))})`,
  ],
  lines: () =>
    chain.lines.toSpliced(
      place - 1,
      0,
      canonicalJson({ ...read(chain.lines[place - 1]), audit_id: "aud_mallory" }),
    ),
});

const swapped: Kind = (chain, place) =>
  place === chain.lines.length
    ? undefined
    : {
        name: "swapped",
        isUnanchored: false,
        statements: [
          `update audit_links set sequence = -sequence where ${own(chain)} and sequence in (${place}, ${place + 1})`,
          `update audit_links set sequence = ${2 * place + 1} + sequence where ${own(chain)} and sequence < 0`,
        ],
        lines: () =>
          chain.lines
            .with(place - 1, chain.lines[place] ?? "")
            .with(place, chain.lines[place - 1] ?? ""),
      };

/** Cut before the place, with the head moved back, so that nothing points behind the end. */
const cut: Kind = (chain, place) => {
  const left = place - 1;
  const head =
    left === 0
      ? `delete from audit_heads where ${own(chain)}`
      : `update audit_heads set (sequence, hash) = (${left}, ${text(String(read(chain.lines[left - 1])["hash"]))}) where ${own(chain)}`;
  return {
    name: "cut",
    isUnanchored: left >= chain.anchored,
    statements: [
      `delete from audit_entries e using audit_links l where l.tenant_id = e.tenant_id and l.audit_id = e.audit_id
       and l.tenant_id = ${text(chain.tenantId)} and l.chain = 'tenant' and l.sequence > ${left}`,
      `delete from audit_links where ${own(chain)} and sequence > ${left}`,
      head,
    ],
    lines: () => chain.lines.slice(0, left),
  };
};

/** Changed, with every hash from the place on made anew, as somebody does who knows our source. */
const rewritten: Kind = (chain, place) => {
  let prev_hash = String(read(chain.lines[place - 2])["hash"] ?? "0".repeat(64));
  const tail = chain.lines.slice(place - 1).map((line, index) => {
    const { hash: _hash, ...said } = read(line);
    const changed = { ...said, ...(index === 0 && { action: "note.burnt" }), prev_hash };
    const hash = createHash("sha256").update(canonicalJson(changed)).digest("hex");
    prev_hash = hash;
    return { ...changed, hash };
  });
  const links = tail.map((line, index) => ({
    sequence: place + index,
    prev_hash: line.prev_hash,
    hash: line.hash,
  }));
  return {
    name: "rewritten",
    isUnanchored: place > chain.anchored,
    statements: [
      `update audit_entries set action = 'note.burnt' where ${entryAt(chain, place)}`,
      `update audit_links l set prev_hash = made.prev_hash, hash = made.hash
       from jsonb_to_recordset(${text(JSON.stringify(links))}) as made (sequence integer, prev_hash text, hash text)
       where l.tenant_id = ${text(chain.tenantId)} and l.chain = 'tenant' and l.sequence = made.sequence`,
      `update audit_heads set hash = ${text(prev_hash)} where ${own(chain)}`,
    ],
    lines: () => [...chain.lines.slice(0, place - 1), ...tail.map((line) => canonicalJson(line))],
  };
};

/** Every kind of change, those that take the least first. */
export const TAMPERINGS: readonly Kind[] = [
  ...Object.entries(FIELDS).map(([field, to]) => changedField(field, to)),
  changedLink("hash"),
  changedLink("prev_hash"),
  deleted,
  inserted,
  swapped,
  cut,
  rewritten,
];
