import { likeness, wordsIn } from "../normalize/method-names.js";
import { type Method, sameSide } from "../normalize/methods.js";
import { stemOf } from "../normalize/payload-lists.js";

/**
 * Names the methods of a file without method names after those of the other file: first by equal params, then by the most similar
 * definition. So a method is not reported as new if the new file only adds its `x-method`.
 */
export function adoptNames(methods: readonly Method[], others: readonly Method[]): readonly Method[] {
  const fits = (a: Method, b: Method): boolean => a.kind === b.kind && (sameSide(a.side, b.side) || a.side === "both");
  const adopted = new Map<Method, Method>();
  const free = (other: Method): boolean =>
    ![...adopted.values()].includes(other) && !methods.some((one) => one.named && one.name === other.name);
  const unnamed = methods.filter(({ named, params }) => !named && params !== undefined);
  for (const method of unnamed) {
    const other = others.find((one) => one.named && one.params === method.params && fits(method, one) && free(one));
    if (other !== undefined) adopted.set(method, other);
  }
  const closeness = (method: Method, other: Method): number =>
    likeness(wordsIn(stemOf(method.params ?? "")), wordsIn(stemOf(other.params ?? "")));
  for (const method of unnamed.filter((one) => !adopted.has(one))) {
    const [closest] = others
      .filter((one) => one.named && fits(method, one) && free(one) && closeness(method, one) >= 0.6)
      .sort((a, b) => closeness(method, b) - closeness(method, a));
    if (closest !== undefined) adopted.set(method, closest);
  }
  return methods.map((method) => {
    const other = adopted.get(method);
    return other === undefined ? method : { ...method, name: other.name, named: true, side: other.side };
  });
}
