import { sealedColumn } from "../vault/sealed-column.ts";
import { outboxEmailContext } from "./enqueue.ts";

/** The outbox columns that contain encrypted values. */
export const outboxSealedColumns = [
  sealedColumn({
    table: "outboxMessages",
    column: "sealed",
    names: ["messageId"],
    contextOf: ({ messageId }) => outboxEmailContext(messageId),
  }),
];
