import { type Decision, DecisionsError } from "./decisions.js";
import type { Method } from "./ir.js";
import { below, DialectError, definitionPlace, type Place } from "./place.js";
import { type RawDocument, type RawSchema, wrappedName } from "./raw-schema.js";

const envelopeName = /^(Agent|Client|Proxy)(Request|Response|Notification)$/;

/** The payloads of envelopes for extensions, which choose their own method names. */
const payloadsWithoutMethod: ReadonlySet<string> = new Set(["ExtRequest", "ExtResponse", "ExtNotification"]);

/**
 * Builds the method table. `x-method` and `x-side` state which definitions belong to a method and which side handles
 * it; the envelopes (`AgentRequest`, …) are used only to distinguish requests, results and notifications.
 */
export function buildMethods(document: RawDocument, schema: string): Method[] {
  const roles = messageRoles(document);
  checkPayloads(document, roles, schema);
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

/**
 * Checks that every payload has `x-method`. Without it, the method has no name on the wire, so no method can be
 * generated.
 *
 * @throws {DecisionsError} with every such payload.
 */
function checkPayloads(document: RawDocument, roles: ReadonlyMap<string, string>, schema: string): void {
  const decisions = [...roles].flatMap(([name, role]): Decision[] => {
    if (payloadsWithoutMethod.has(name) || document.$defs[name]?.["x-method"] !== undefined) return [];
    const what =
      `${schema}: the ${role.toLowerCase()} "${name}" stands in an envelope without x-method, so its name on the wire is unknown: ` +
      "wait for a schema that names it, or, if it belongs to no method, add it to payloadsWithoutMethod";
    return [{ file: "tools/codegen/src/build-methods.ts", what }];
  });
  if (decisions.length > 0) throw new DecisionsError(decisions);
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

/** Maps each definition in an envelope to its role: params, result or notification. */
function messageRoles(document: RawDocument): ReadonlyMap<string, string> {
  const roles = new Map<string, string>();
  const add = (schema: RawSchema | undefined, role: string, place: Place) => {
    for (const name of carried(schema, place)) roles.set(name, role);
  };
  for (const [name, schema] of Object.entries(document.$defs)) {
    if (schema["x-docs-ignore"] !== true) continue;
    const role = envelopeName.exec(name)?.[2];
    if (role === undefined)
      throw new DialectError(definitionPlace(name), "x-docs-ignore on a definition that is not a known envelope");
    const place = definitionPlace(name);
    if (role === "Response") for (const branch of schema.anyOf ?? []) add(branch.properties?.result, role, place);
    else add(schema.properties?.params, role, place);
  }
  document.anyOf.forEach((branch, index) => {
    // Messages that either side may send are not in an envelope, but in the schema's root. All of them are
    // notifications.
    if (branch.properties?.params === undefined) return;
    const place = below({ definition: "(root)", pointer: "" }, "anyOf", index);
    if (branch.properties.id !== undefined) throw new DialectError(place, "a request outside the envelopes");
    add(branch.properties.params, "Notification", place);
  });
  return roles;
}

/** Returns the definitions behind `params` or `result`: a union of references, which may be nullable. */
function carried(schema: RawSchema | undefined, place: Place): string[] {
  if (schema === undefined || schema.type === "null") return [];
  const name = wrappedName(schema);
  if (name !== undefined) return [name];
  if (schema.anyOf === undefined) throw new DialectError(place, "a payload without a definition of its own");
  return schema.anyOf.flatMap((branch) => carried(branch, place));
}
