/** Returns all options: those of `given`, and those of `defaults` for members that are missing or `undefined`. */
export function withDefaults<Options extends object>(
  defaults: Required<Options>,
  given: Options | undefined,
): Required<Options> {
  const values = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(values) };
}
