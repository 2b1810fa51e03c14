import type { Method } from "@acp-kit/codegen/ir";
import { conjunction, type Difference } from "../difference.js";
import type { Model } from "../model.js";
import { allMembers, alternativesOf } from "./alternatives.js";
import { likeness, type TypeComparison } from "./compare-types.js";
import type { Direction } from "./finding.js";

/** Compares the method tables, and the types of the messages of every method that both schemas have. */
export function compareMethods(types: TypeComparison, before: Model, after: Model): readonly Difference[] {
  const found: Difference[] = [];
  const fresh = new Set(after.ir.methods);
  const gone: Method[] = [];
  const adopt = (a: Method, b: Method): void => {
    fresh.delete(b);
    compareMessages(types, before, after, a, b);
    found.push(...gateNews(before, after, a, b));
  };
  for (const a of before.ir.methods) {
    const same = [...fresh].filter(({ name, kind }) => name === a.name && kind === a.kind);
    const b = same.find(({ side }) => side === a.side);
    // A method of either side may become one method for each side, without a difference on the wire.
    const apart = a.side === "protocol" ? same : [];
    for (const one of b === undefined ? apart : [b]) adopt(a, one);
    if (b === undefined && apart.length === 0) gone.push(a);
  }
  for (const a of gone) {
    const b = [...fresh].find(
      ({ name, side }) =>
        name === a.name &&
        (side === a.side || !before.ir.methods.some((one) => one.name === name && one.side === side)),
    );
    if (b === undefined) {
      found.push({
        ...about(a, "method-removed"),
        effect: "breaking",
        affects: callers(a),
        says: removedSays(before, after, a, fresh),
      });
      continue;
    }
    adopt(a, b);
    const says = [
      ...(a.side === b.side ? [] : [`is handled by ${the(b.side)} now, was by ${the(a.side)}`]),
      ...(a.kind === b.kind ? [] : [`is a ${b.kind} now, was a ${a.kind}`]),
    ].join(" and ");
    const affects = [...new Set([...callers(a), ...handlers(a)])];
    found.push({ ...about(b, "method-changed"), effect: "breaking", affects, says });
  }
  for (const b of fresh) found.push({ ...about(b, "method-added"), effect: "additive", affects: [], says: "is new" });
  return found;
}

function compareMessages(types: TypeComparison, before: Model, after: Model, a: Method, b: Method): void {
  for (const payload of ["params", "result"] as const) {
    const [x, y] = [a[payload], b[payload]];
    if (x === undefined || y === undefined || !before.ir.definitions.has(x) || !after.ir.definitions.has(y)) continue;
    for (const { writer, reader } of directionsOf(b.side)) {
      const direction = payload === "params" ? { writer, reader } : { writer: reader, reader: writer };
      types.compare(
        { definition: y, path: y, recovers: false, nullIsEmpty: false, direction, method: b.name },
        { kind: "ref", name: x },
        { kind: "ref", name: y },
      );
      if (x !== y) types.renamed.set(x, y);
    }
  }
}

function gateNews(before: Model, after: Model, a: Method, b: Method): readonly Difference[] {
  const [was, is] = [before.gates.methods[a.side]?.[a.name], after.gates.methods[b.side]?.[b.name]];
  if (was === undefined || is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
  const words =
    is === "baseline"
      ? "nothing"
      : "capability" in is
        ? is.capability.map((path) => `\`${path}\``).join(" or ")
        : is.condition;
  return [{ ...about(b, "gate"), effect: "additive", affects: [], says: `needs ${words} now` }];
}

function about(
  { name, side, kind, params, result }: Method,
  code: Difference["code"],
): Omit<Difference, "effect" | "says" | "affects"> {
  const names = [params, ...(result === undefined ? [] : [result])];
  const whom = side === "protocol" ? "either side" : `the ${side}`;
  return { code, path: name, directions: [`${kind} to ${whom}`], methods: [name], names };
}

function removedSays(before: Model, after: Model, gone: Method, fresh: ReadonlySet<Method>): string {
  const who = conjunction(callers(gone).map((name) => `${name}s`));
  const verb = gone.kind === "request" ? "call" : "send";
  const [heir] = [...fresh]
    .map((method) => ({ method, like: paramsLikeness(before, after, gone, method) }))
    .filter(({ like }) => like >= 0.6)
    .sort((a, b) => b.like - a.like);
  return heir === undefined
    ? `was removed; ${who} must not ${verb} it`
    : `was removed; ${who} probably have to ${verb} \`${heir.method.name}\` instead, because its params are similar`;
}

/** Returns how similar the params of a new method are to those of a removed one. `sessionId` alone is no sign. */
function paramsLikeness(before: Model, after: Model, gone: Method, method: Method): number {
  if (method.side !== gone.side || method.kind !== gone.kind) return 0;
  if (method.params === gone.params) return 1;
  const membersOf = ({ ir }: Model, name: string): ReadonlyMap<string, unknown> =>
    new Map(alternativesOf(ir, { kind: "ref", name }).variants.flatMap((one) => [...allMembers(ir, one)]));
  const [a, b] = [membersOf(before, gone.params), membersOf(after, method.params)];
  return [...a.keys()].some((name) => name !== "_meta" && name !== "sessionId" && b.has(name)) ? likeness(a, b) : 0;
}

/** Returns the writers and readers of a method's params. For the result, they are reversed. */
function directionsOf(side: Method["side"]): readonly Direction[] {
  const toAgent = { writer: "client", reader: "agent" };
  const toClient = { writer: "agent", reader: "client" };
  if (side === "agent") return [toAgent];
  if (side === "client") return [toClient];
  // A proxy is between the conductor and its successor.
  return side === "proxy" ? [{ writer: "conductor", reader: "proxy" }] : [toAgent, toClient];
}

function callers({ side }: Method): readonly string[] {
  return directionsOf(side).map(({ writer }) => writer);
}

function handlers({ side }: Method): readonly string[] {
  return directionsOf(side).map(({ reader }) => reader);
}

function the(side: Method["side"]): string {
  return side === "protocol" ? "either side" : `the ${side}`;
}
