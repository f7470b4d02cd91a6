import { createElement, type SVGProps } from "react";

/** The parts of an icon: their elements and attributes. */
type IconParts = readonly (readonly [element: string, attributes: Readonly<Record<string, string>>])[];

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, "stroke"> {
  /** Width and height. Default: 24. */
  readonly size?: number | string;
  /** The width of the lines. Default: 2. */
  readonly stroke?: number | string;
}

/** Returns a component that draws an icon with lines in the color of the text. */
export function icon(parts: IconParts) {
  return ({ size = 24, stroke = 2, ...rest }: IconProps) =>
    createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        viewBox: "0 0 24 24",
        width: size,
        height: size,
        fill: "none",
        stroke: "currentColor",
        strokeWidth: stroke,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        ...rest,
      },
      ...parts.map(([element, attributes]) => createElement(element, attributes)),
    );
}
