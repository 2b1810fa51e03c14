import type { Method } from "./ir.js";
import { below, DialectError, definitionPlace } from "./place.js";
import { type RawDocument, type RawSchema, wrappedName } from "./raw-schema.js";

const envelopeName = /^(Agent|Client|Proxy)(Request|Response|Notification)$/;

/**
 * The method table: `x-method` and `x-side` say which definitions belong to a method and who handles it; the envelopes
 * (`AgentRequest`, …), which say nothing else of use, tell requests, results and notifications apart.
 */
export function buildMethods(document: RawDocument): Method[] {
  const roles = messageRoles(document);
  const methods: Method[] = [];
  const results = new Map<string, string>();
  for (const [definition, schema] of Object.entries(document.$defs)) {
    const { "x-method": name, "x-side": side } = schema;
    if (name === undefined || side === undefined) continue;
    const role = roles.get(definition);
    if (role === undefined)
      throw new DialectError(definitionPlace(definition), `x-method "${name}" on a type that no envelope carries`);
    const key = `${side} ${name}`;
    if (role === "Response") {
      if (results.has(key))
        throw new DialectError(definitionPlace(definition), `a second result for "${name}" on side "${side}"`);
      results.set(key, definition);
    } else {
      const kind = role === "Request" ? "request" : "notification";
      if (methods.some((method) => method.name === name && method.side === side && method.kind === kind)) {
        throw new DialectError(definitionPlace(definition), `a second ${kind} "${name}" on side "${side}"`);
      }
      methods.push({ name, side: side as Method["side"], kind, params: definition, result: undefined });
    }
  }
  return methods.map((method) =>
    method.kind === "request" ? { ...method, result: resultOf(method, results) } : method,
  );
}

function resultOf(method: Method, results: ReadonlyMap<string, string>): string {
  const result = results.get(`${method.side} ${method.name}`);
  if (result === undefined) {
    throw new DialectError(
      definitionPlace(method.params),
      `the request "${method.name}" on side "${method.side}" has no result`,
    );
  }
  return result;
}

/** For each definition that an envelope carries: as what. */
function messageRoles(document: RawDocument): ReadonlyMap<string, string> {
  const roles = new Map<string, string>();
  const add = (schema: RawSchema | undefined, role: string) => {
    for (const name of carried(schema)) roles.set(name, role);
  };
  for (const [name, schema] of Object.entries(document.$defs)) {
    if (schema["x-docs-ignore"] !== true) continue;
    const role = envelopeName.exec(name)?.[2];
    if (role === undefined)
      throw new DialectError(definitionPlace(name), "x-docs-ignore on something that is no known envelope");
    if (role === "Response") for (const branch of schema.anyOf ?? []) add(branch.properties?.result, role);
    else add(schema.properties?.params, role);
  }
  document.anyOf.forEach((branch, index) => {
    // Messages of either side have no definition of their own: they stand in the root, and are notifications so far.
    if (branch.properties?.params === undefined) return;
    if (branch.properties.id !== undefined) {
      throw new DialectError(
        below({ definition: "(root)", pointer: "" }, "anyOf", index),
        "a request outside the envelopes",
      );
    }
    add(branch.properties.params, "Notification");
  });
  return roles;
}

/** The definitions behind `params` or `result`: a union of references, possibly inside an optional one. */
function carried(schema: RawSchema | undefined): string[] {
  if (schema === undefined) return [];
  const name = wrappedName(schema);
  return name === undefined ? (schema.anyOf ?? []).flatMap(carried) : [name];
}
