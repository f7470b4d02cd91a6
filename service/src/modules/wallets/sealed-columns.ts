import { sealedColumn } from "../../vault/sealed-column.ts";
import { walletKeyContext } from "./signer/wallet-keys.ts";

/** This module's columns that contain encrypted values. */
export const walletSealedColumns = [
  sealedColumn({
    table: "walletSignerKeys",
    column: "keySealed",
    names: ["walletId"],
    contextOf: ({ walletId }) => walletKeyContext(walletId),
  }),
];
