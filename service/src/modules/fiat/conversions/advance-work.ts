/** The work of taking a conversion as far as the ramp vendor is. Its subject is the conversion's id. */
export const ADVANCE_CONVERSION = { kind: "advance-conversions" };
