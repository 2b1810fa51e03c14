/** Every option, with a value: of `given` where it has one, else of `defaults`. An `undefined` is no value. */
export function withDefaults<Options extends object>(
  defaults: Required<Options>,
  given: Options | undefined,
): Required<Options> {
  const values = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(values) };
}
