import type { HexText } from "../crypto/user-operation.ts";
import { type BlockchainNetwork, EVM_NETWORKS } from "../foundation/blockchain-networks.ts";
import { ANCHOR_KEY, formedKey, type RpcUrlsConfig } from "./networks.ts";
import type { Reader } from "./reader.ts";

/** Where audit checkpoints are stored: a file, an S3 bucket, or the contract `AuditAnchor` on a network. */
export type AuditAnchorConfig =
  | { readonly kind: "file"; readonly path: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      /** The folder in the bucket, without leading or trailing slashes. Can be empty. */
      readonly prefix: string;
      /** The number of days for which a checkpoint cannot be deleted, even by the bucket's owner. */
      readonly retentionDays: number;
    }
  | {
      readonly kind: "evm";
      readonly network: BlockchainNetwork;
      readonly contract: string;
      /** The private key of the publisher. */
      readonly key: HexText;
    };

const S3 = "PURSER_AUDIT_ANCHOR_S3";
const RETENTION_DAYS = 3_650;
const EVM = "PURSER_AUDIT_ANCHOR_EVM";

/** Returns the contract if PURSER_AUDIT_ANCHOR_EVM is set, or the bucket if PURSER_AUDIT_ANCHOR_S3 is, otherwise the file. */
export function readAuditAnchor(read: Reader): AuditAnchorConfig {
  const s3 = read.optionalSecret(S3);
  const evm = read.optionalSecret(EVM);
  if (evm !== null && s3 !== null) read.report(`${EVM} and ${S3} are both set. Choose one anchor.`);
  if (evm !== null) return readEvm(read, evm);
  const retentionDays = read.whole("PURSER_AUDIT_ANCHOR_RETENTION_DAYS", RETENTION_DAYS);
  if (s3 === null) return { kind: "file", path: read.text("PURSER_AUDIT_ANCHOR_FILE") };
  const [, bucket = "", prefix = ""] = /^s3:\/\/([a-z0-9.-]{3,63})(?:\/(.*?))?\/*$/.exec(s3) ?? [];
  if (bucket === "") read.report(`${S3} is not the s3: URL of a bucket, such as s3://bucket/prefix.`);
  return { kind: "s3", bucket, prefix, retentionDays };
}

function readEvm(read: Reader, text: string): AuditAnchorConfig {
  const [network = "", contract = ""] = text.split(":");
  const isContract = EVM_NETWORKS.some((each) => each === network) && /^[^:]+:0x[0-9a-fA-F]{40}$/.test(text);
  if (!isContract) read.report(`${EVM} is not an EVM network and an address, such as base:0x….`);
  const key = formedKey(read, ANCHOR_KEY, read.secret(ANCHOR_KEY)) as HexText;
  return { kind: "evm", network: network as BlockchainNetwork, contract, key };
}

export function checkAuditAnchor(anchor: AuditAnchorConfig, rpcUrls: RpcUrlsConfig): string[] {
  if (anchor.kind !== "evm" || rpcUrls.has(anchor.network)) return [];
  return [`PURSER_RPC_URLS has no node of ${anchor.network}. ${EVM} requires it.`];
}
