import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import type { VendorContext, VendorRequest, VendorResponse } from "../kit/vendor-simulator.ts";
import { accountOf } from "./accounts.ts";
import { supabaseError } from "./supabase-errors.ts";

/** The sizes of a compute instance, and their monthly prices in US dollars. */
const COMPUTE_PRICES = {
  ci_micro: 10,
  ci_small: 15,
  ci_medium: 60,
  ci_large: 110,
  ci_xlarge: 210,
  ci_2xlarge: 410,
} as const;
type ComputeVariant = keyof typeof COMPUTE_PRICES;

/** The request fields that the simulator supports. Other add-ons are rejected. */
export const ApplyAddonBody = Type.Object(
  {
    addon_variant: Type.Enum(Object.keys(COMPUTE_PRICES)),
    addon_type: Type.Literal("compute_instance"),
  },
  { additionalProperties: false },
);

interface ResizableProject {
  /** Null: the smallest instance, which is not an add-on. */
  readonly instanceSize: string | null;
}

/** Lists the project's compute instance and the instances that it can change to. */
export async function listAddons({ data }: StoredObject<ResizableProject>): Promise<VendorResponse> {
  const variants = Object.keys(COMPUTE_PRICES).map((id) => presentVariant(id as ComputeVariant));
  const selected = variants.filter(({ id }) => id === `ci_${data.instanceSize}`);
  return {
    status: 200,
    body: {
      selected_addons: selected.map((variant) => ({ type: "compute_instance", variant })),
      available_addons: [{ type: "compute_instance", name: "Compute Instance", variants }],
    },
  };
}

/** Changes the size of the project's compute instance. The project restarts, and is `RESIZING` meanwhile. */
export async function applyAddon<Project extends ResizableProject>(
  { id: ref, data }: StoredObject<Project>,
  request: VendorRequest,
  { objects, now }: VendorContext,
  readyAfterMs: number,
): Promise<VendorResponse> {
  // The body was validated against this schema before `handle` was called.
  const { addon_variant: variant } = request.body as Static<typeof ApplyAddonBody>;
  if (accountOf(request).startsWith("free")) {
    return supabaseError(400, "Compute add-ons are not available on the organization's plan");
  }
  const settlesAt = new Date(now().getTime() + readyAfterMs).toISOString();
  const resized = { ...data, instanceSize: variant.replace("ci_", ""), settlesAt };
  await objects.update("project", ref, { state: "RESIZING", data: resized });
  return { status: 200, body: undefined };
}

function presentVariant(id: ComputeVariant) {
  const amount = COMPUTE_PRICES[id];
  const name = id.replace("ci_", "");
  const price = { description: `$${amount}/month`, type: "fixed", interval: "monthly", amount };
  return { id, name, price };
}
