import { encode } from "uqr";

/** A QR code, black on white in both colour schemes, because some apps cannot read the reverse. */
export function QrCode({
  text,
  label,
  width,
}: {
  readonly text: string;
  readonly label: string;
  readonly width: number;
}) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const cells = data.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg {...{ role: "img", viewBox: `0 0 ${size} ${size}`, width, height: width }} aria-label={label}>
      <rect width={size} height={size} fill="white" />
      <path d={cells.join("")} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}
