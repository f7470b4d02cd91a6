import type { Reader } from "./reader.ts";

/** Where audit checkpoints are stored: a file or an S3 bucket. */
export type AuditAnchorConfig =
  | { readonly kind: "file"; readonly path: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      /** The folder in the bucket, without leading or trailing slashes. Can be empty. */
      readonly prefix: string;
      /** The number of days for which a checkpoint cannot be deleted, even by the bucket's owner. */
      readonly retentionDays: number;
    };

const S3 = "PURSER_AUDIT_ANCHOR_S3";
const RETENTION_DAYS = 3_650;

/** Returns the bucket if PURSER_AUDIT_ANCHOR_S3 is set, otherwise the file. */
export function readAuditAnchor(read: Reader): AuditAnchorConfig {
  const s3 = read.optionalSecret(S3);
  const retentionDays = read.whole("PURSER_AUDIT_ANCHOR_RETENTION_DAYS", RETENTION_DAYS);
  if (s3 === null) return { kind: "file", path: read.text("PURSER_AUDIT_ANCHOR_FILE") };
  const [, bucket = "", prefix = ""] = /^s3:\/\/([a-z0-9.-]{3,63})(?:\/(.*?))?\/*$/.exec(s3) ?? [];
  if (bucket === "") read.report(`${S3} is not the s3: URL of a bucket, such as s3://bucket/prefix.`);
  return { kind: "s3", bucket, prefix, retentionDays };
}
