import { Type } from "typebox";
import { Clearable, Metadata, MetadataPatch } from "../../foundation/wire/fields.ts";

/** The metadata of a new object. */
export const OwnMetadata = Type.Optional({
  ...Metadata,
  description: "Up to 50 key-value pairs that you choose. Default: `{}`.",
});

/** A change of an object's metadata. */
export const MetadataChange = Type.Optional({
  ...Clearable(MetadataPatch),
  description:
    "Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update.",
});
