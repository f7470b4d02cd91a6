import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { mailboxAddress } from "./email-address.ts";
import type { ReceivedEmail } from "./parse-email.ts";

export interface StoredMessage extends ReceivedEmail {
  /** `msg_` followed by 32 hexadecimal digits. */
  readonly id: string;
  /** The envelope recipient. An email to several recipients is stored once for each. */
  readonly recipient: string;
  readonly receivedAt: Date;
}

export interface NewEmail {
  readonly mail: ReceivedEmail;
  readonly recipients: readonly string[];
  readonly receivedAt: Date;
}

export interface MessageStore {
  /** Stores the email once for each recipient, in one statement. Deletes the oldest messages over `messagesMax`. */
  add(delivery: NewEmail): Promise<void>;
  /** Returns messages, newest first. Without `to`, it returns those of all addresses. */
  list(filter: { readonly to?: string; readonly limit: number }): Promise<StoredMessage[]>;
  find(id: string): Promise<StoredMessage | undefined>;
  deleteAll(): Promise<void>;
  close(): Promise<void>;
}

// All statements run in one transaction. Without the lock, `create table if not exists` can fail in concurrent starts.
const SCHEMA = `
  select pg_advisory_xact_lock(hashtext('mailbox_messages'));
  create table if not exists mailbox_messages (
    sequence bigint generated always as identity primary key,
    id text not null unique,
    recipient text not null,
    sender text not null,
    subject text not null,
    text text,
    html text,
    links text[] not null,
    received_at timestamptz not null
  );
  create index if not exists mailbox_messages_by_recipient
    on mailbox_messages (recipient, sequence);
`;

const COLUMNS = `id, recipient, sender, subject, text, html, links, received_at as "receivedAt"`;

/** Opens the mailbox's table in the simulators' database. Creates it if it does not exist. */
export async function openMessageStore(options: {
  readonly databaseUrl: string;
  /** The maximum number of stored messages. Older messages are deleted. */
  readonly messagesMax: number;
}): Promise<MessageStore> {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: 4,
    connectionTimeoutMillis: 5_000,
  });
  // The pool removes a broken idle connection itself. Without a listener, the error event would end the process.
  pool.on("error", () => {});

  try {
    await pool.query(SCHEMA);
  } catch (error) {
    await pool.end();
    throw error;
  }

  return {
    add: (delivery) => add(pool, { ...delivery, messagesMax: options.messagesMax }),
    list: (filter) => list(pool, filter),
    find: async (id) => {
      const found = await pool.query<StoredMessage>(`select ${COLUMNS} from mailbox_messages where id = $1`, [id]);
      return found.rows[0];
    },
    deleteAll: async () => {
      await pool.query("delete from mailbox_messages");
    },
    close: () => pool.end(),
  };
}

async function add(pool: Pool, delivery: NewEmail & { readonly messagesMax: number }): Promise<void> {
  const { mail, recipients } = delivery;
  // The delete does not see the rows that this statement inserts. The offset ($3) is therefore the maximum minus the
  // number of new rows.
  await pool.query(
    `with outdated as (
       delete from mailbox_messages where sequence <= (
         select sequence from mailbox_messages order by sequence desc offset $3 limit 1
       )
     )
     insert into mailbox_messages (id, recipient, sender, subject, text, html, links, received_at)
     select id, recipient, $4, $5, $6, $7, $8, $9
     from unnest($1::text[], $2::text[]) as envelope (id, recipient)`,
    [
      recipients.map(() => `msg_${randomUUID().replaceAll("-", "")}`),
      recipients.map(mailboxAddress),
      Math.max(0, delivery.messagesMax - recipients.length),
      mail.sender,
      mail.subject,
      mail.text,
      mail.html,
      mail.links,
      delivery.receivedAt,
    ],
  );
}

async function list(pool: Pool, filter: { readonly to?: string; readonly limit: number }): Promise<StoredMessage[]> {
  const found = await pool.query<StoredMessage>(
    `select ${COLUMNS} from mailbox_messages
     where $1::text is null or recipient = $1
     order by sequence desc limit $2`,
    [filter.to === undefined ? null : mailboxAddress(filter.to), filter.limit],
  );
  return found.rows;
}
