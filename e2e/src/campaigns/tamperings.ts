import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "@purser/sdk";

/** The audit chain before any change. */
export interface Chain {
  readonly tenantId: string;
  readonly lines: readonly string[];
  /** The number of entries that the newest checkpoint covers. */
  readonly anchored: number;
}

/** A change at one entry of an audit chain. It is made both in the database (as the superuser) and in an export. */
export interface Tampering {
  readonly name: string;
  /**
   * True if the chain is still valid after the change, and only entries after the newest checkpoint are affected. Such
   * a change cannot be detected.
   */
  readonly isUnanchored: boolean;
  readonly statements: readonly string[];
  readonly lines: () => readonly string[];
}

type Line = Readonly<Record<string, Json>>;

/**
 * Returns the change of this kind at a sequence number. Returns undefined if the change is not possible there, or if it
 * would change the export in the same way as the kind `cut`.
 */
type Kind = (chain: Chain, place: number) => Tampering | undefined;

const read = (line: string | undefined): Line => JSON.parse(line ?? "{}");
const sqlText = (value: string) => `'${value.replaceAll("'", "''")}'`;
const whereChain = ({ tenantId }: Chain) => `tenant_id = ${sqlText(tenantId)} and chain = 'tenant'`;

function entryAt(chain: Chain, place: number): string {
  return `tenant_id = ${sqlText(chain.tenantId)} and audit_id = ${sqlText(String(read(chain.lines[place - 1])["audit_id"]))}`;
}

function chainRowAt(chain: Chain, place: number): string {
  return `${whereChain(chain)} and sequence = ${place}`;
}

/** The new value of each field, for the export and as SQL for the database. */
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
    statements: [`update audit_links set ${field} = ${sqlText("f".repeat(64))} where ${chainRowAt(chain, place)}`],
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
          `delete from audit_links where ${chainRowAt(chain, place)}`,
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
    // The sequence numbers are changed in two updates, so that no two rows have the same number at any time.
    `update audit_links set sequence = -sequence - 1 where ${whereChain(chain)} and sequence >= ${place}`,
    `update audit_links set sequence = -sequence where ${whereChain(chain)} and sequence < 0`,
    `insert into audit_links (tenant_id, chain, sequence, audit_id, prev_hash, hash)
     values (${sqlText(chain.tenantId)}, 'tenant', ${place}, 'aud_mallory', ${sqlText("e".repeat(64))}, ${sqlText("f".repeat(64))})`,
  ],
  lines: () =>
    chain.lines.toSpliced(place - 1, 0, canonicalJson({ ...read(chain.lines[place - 1]), audit_id: "aud_mallory" })),
});

const swapped: Kind = (chain, place) =>
  place === chain.lines.length
    ? undefined
    : {
        name: "swapped",
        isUnanchored: false,
        statements: [
          `update audit_links set sequence = -sequence where ${whereChain(chain)} and sequence in (${place}, ${place + 1})`,
          `update audit_links set sequence = ${2 * place + 1} + sequence where ${whereChain(chain)} and sequence < 0`,
        ],
        lines: () => chain.lines.with(place - 1, chain.lines[place] ?? "").with(place, chain.lines[place - 1] ?? ""),
      };

/** Deletes the entry and all later ones, and updates the chain's head to match. */
const cut: Kind = (chain, place) => {
  const remaining = place - 1;
  const head =
    remaining === 0
      ? `delete from audit_heads where ${whereChain(chain)}`
      : `update audit_heads set (sequence, hash) = (${remaining}, ${sqlText(String(read(chain.lines[remaining - 1])["hash"]))}) where ${whereChain(chain)}`;
  return {
    name: "cut",
    isUnanchored: remaining >= chain.anchored,
    statements: [
      `delete from audit_entries e using audit_links l where l.tenant_id = e.tenant_id and l.audit_id = e.audit_id
       and l.tenant_id = ${sqlText(chain.tenantId)} and l.chain = 'tenant' and l.sequence > ${remaining}`,
      `delete from audit_links where ${whereChain(chain)} and sequence > ${remaining}`,
      head,
    ],
    lines: () => chain.lines.slice(0, remaining),
  };
};

/**
 * Changes an entry, then recalculates the entry's hash and all later hashes, as an attacker who knows the source code
 * would.
 */
const rewritten: Kind = (chain, place) => {
  let prev_hash = String(read(chain.lines[place - 2])["hash"] ?? "0".repeat(64));
  const tail = chain.lines.slice(place - 1).map((line, index) => {
    const { hash: _hash, ...fields } = read(line);
    const changed = { ...fields, ...(index === 0 && { action: "note.burnt" }), prev_hash };
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
      `update audit_links l set prev_hash = changed.prev_hash, hash = changed.hash
       from jsonb_to_recordset(${sqlText(JSON.stringify(links))}) as changed (sequence integer, prev_hash text, hash text)
       where l.tenant_id = ${sqlText(chain.tenantId)} and l.chain = 'tenant' and l.sequence = changed.sequence`,
      `update audit_heads set hash = ${sqlText(prev_hash)} where ${whereChain(chain)}`,
    ],
    lines: () => [...chain.lines.slice(0, place - 1), ...tail.map((line) => canonicalJson(line))],
  };
};

/** All kinds of change, from the smallest to the largest. */
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
