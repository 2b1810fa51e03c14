import type { NumberNode } from "./ir.js";

/** The inclusive bounds of a number. A missing bound is infinite. */
export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** The range of each format. 64-bit integers end at JavaScript's exact integers: beyond them, `JSON.parse` rounds. */
const formats: Readonly<Record<string, Bounds>> = {
  uint16: { minimum: 0, maximum: 65_535 },
  uint32: { minimum: 0, maximum: 4_294_967_295 },
  uint64: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  int32: { minimum: -2_147_483_648, maximum: 2_147_483_647 },
  int64: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  double: { minimum: -Infinity, maximum: Infinity },
};

/** Returns the bounds of a number, from its format and its keywords. */
export function numberBounds({ kind, format, minimum, maximum }: NumberNode): Bounds {
  const bounds = formats[format ?? (kind === "integer" ? "int64" : "double")];
  if (bounds === undefined) throw new Error(`unknown number format "${format}"`);
  return {
    minimum: Math.max(bounds.minimum, minimum ?? -Infinity),
    maximum: Math.min(bounds.maximum, maximum ?? Infinity),
  };
}
