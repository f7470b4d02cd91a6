import { type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { VendorError } from "../../../ports/vendor-error.ts";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** In Neon's quotas, zero is unlimited. */
const UNLIMITED = 0;

/**
 * The settings of a Neon project that stand for a plan of Purser's catalog: Neon's own plans apply to whole organizations.
 * Neon rejects settings that the organization's plan does not include.
 */
const PLAN_SETTINGS: Readonly<Record<string, NeonSettings>> = {
  free: settingsOf({
    computeSeconds: 100 * HOUR_SECONDS,
    storageBytes: 512 * 1024 * 1024,
    computeUnitsMax: 2,
    historySeconds: 6 * HOUR_SECONDS,
  }),
  launch: settingsOf({
    computeSeconds: UNLIMITED,
    storageBytes: UNLIMITED,
    computeUnitsMax: 8,
    historySeconds: 7 * DAY_SECONDS,
  }),
  scale: settingsOf({
    computeSeconds: UNLIMITED,
    storageBytes: UNLIMITED,
    computeUnitsMax: 16,
    historySeconds: 30 * DAY_SECONDS,
  }),
};

type NeonSettings = ReturnType<typeof settingsOf>;

function settingsOf(plan: {
  readonly computeSeconds: number;
  readonly storageBytes: number;
  readonly computeUnitsMax: number;
  readonly historySeconds: number;
}) {
  return {
    settings: {
      quota: { compute_time_seconds: plan.computeSeconds, logical_size_bytes: plan.storageBytes },
    },
    default_endpoint_settings: {
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: plan.computeUnitsMax,
    },
    history_retention_seconds: plan.historySeconds,
  };
}

/** Returns the settings of a plan. Throws a `VendorError` with the failure `refused` for an unknown plan. */
export function neonSettingsOf(plan: string): NeonSettings {
  const settings = PLAN_SETTINGS[plan];
  if (settings !== undefined) return settings;
  const vendorMessage = `Neon has no plan ${plan}.`;
  throw new VendorError("refused", { vendor: "neon", operation: "updateProject", vendorMessage });
}

export function hasNeonSettings(project: object, wanted: NeonSettings): boolean {
  return Check(exactly(wanted), project);
}

function exactly(value: object): TSchema {
  const properties = Object.entries(value).map(([name, part]) => [
    name,
    typeof part === "object" ? exactly(part) : Type.Literal(part),
  ]);
  return Type.Object(Object.fromEntries(properties));
}
