import { nearestName } from "./nearest-name.js";
import { shorten } from "./shorten.js";

/**
 * Returns all limits: those of `given`, and those of `defaults` for limits that are missing or `undefined`.
 *
 * @param path the name of the option that contains the limits, for the message of an error.
 * @throws {TypeError} if `given` has a limit that `defaults` doesn't have, or a value that is not a number, is `NaN`,
 * or is less than 0. `NaN` would be no limit at all: it is the number of an environment variable that is not set.
 */
export function limitsOf<Limits extends object>(
  path: string,
  defaults: Required<Limits>,
  given: Limits | undefined,
): Required<Limits> {
  for (const name of Object.keys(given ?? {})) {
    if (Object.hasOwn(defaults, name)) continue;
    const meant = nearestName(name, Object.keys(defaults));
    throw new TypeError(`${path}.${shorten(name, 64)} is unknown${meant ? `; did you mean "${meant}"?` : ""}`);
  }
  return limitsAmong(
    path,
    defaults as Record<string, number>,
    (given ?? {}) as Record<string, number>,
  ) as Required<Limits>;
}

/**
 * Like {@link limitsOf}, for options that contain limits among other members.
 *
 * @throws {TypeError} if a limit is not a number, is `NaN`, or is less than 0.
 */
export function limitsAmong<Name extends string>(
  path: string,
  defaults: Readonly<Record<Name, number>>,
  options: { readonly [Key in NoInfer<Name>]?: number | undefined },
): Record<Name, number> {
  const limits: Record<Name, number> = { ...defaults };
  for (const name of Object.keys(defaults) as Name[]) {
    const value: unknown = options[name];
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value >= 0))
      throw new TypeError(`${path}.${name} must be a number from 0 to Infinity, not ${String(value)}`);
    limits[name] = value;
  }
  return limits;
}
