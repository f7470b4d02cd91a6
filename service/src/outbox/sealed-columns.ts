import { sealedColumn } from "../vault/sealed-column.ts";
import { outboxMailContext } from "./enqueue.ts";

/** Where the outbox keeps sealed values. */
export const outboxSealedColumns = [
  sealedColumn({
    table: "outboxMessages",
    column: "sealed",
    names: ["messageId"],
    contextOf: ({ messageId }) => outboxMailContext(messageId),
  }),
];
