import { createTheme, defaultVariantColorsResolver, type MantineThemeOverride, parseThemeColor } from "@mantine/core";

/** Text on a light background of its own colour. */
const INK: Readonly<Record<string, string>> = {
  gray: "#343a40",
  green: "#1d5727",
  indigo: "#2b3b96",
  orange: "#8a2c07",
  red: "#a31515",
  teal: "#05543d",
};

/**
 * The colours of the dashboard. The contrast of every text on its background is at least 4.5, in the light and the dark scheme
 * (WCAG 2.2, 1.4.3): the axe tests of every screen check it.
 */
export const theme: MantineThemeOverride = createTheme({
  primaryColor: "indigo",
  primaryShade: 8,
  autoContrast: true,
  luminanceThreshold: 0.179,
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, monospace",
  headings: { fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // A link within a text must not be known by its colour alone.
  components: { Anchor: { defaultProps: { underline: "always" } } },
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input);
    const { color } = parseThemeColor({ color: input.color ?? "indigo", theme: input.theme });
    // White text on red needs the darkest shade.
    if (input.variant === "filled" && color === "red") {
      return {
        ...resolved,
        background: "var(--mantine-color-red-9)",
        hover: "var(--mantine-color-red-8)",
        color: "white",
      };
    }
    const ink = INK[color];
    if ((input.variant === "light" || input.variant === "subtle") && ink !== undefined) {
      return { ...resolved, color: `light-dark(${ink}, var(--mantine-color-${color}-2))` };
    }
    return resolved;
  },
});
