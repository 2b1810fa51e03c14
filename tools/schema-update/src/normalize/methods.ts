import { isObject, type JsonObject } from "./json.js";

/** One method as the file describes it: the definitions that carry its `x-method`, put together. */
export interface Method {
  readonly name: string;
  /** `x-side`: who handles it. `agent`, `client`, `protocol` or `both` (either), `proxy`. */
  readonly side: string;
  readonly kind: "request" | "notification";
  /** Definition of the params; early files leave it out for methods without any. */
  readonly params: string | undefined;
  /** Definition of the result; requests only. */
  readonly result: string | undefined;
}

/** Two endpoints of a value: who writes it and who reads it. */
export interface Direction {
  readonly writer: string;
  readonly reader: string;
}

/** The method table, rebuilt from `x-method` and `x-side`; no file has carried one since `meta.json` went. */
export function methodsOf(definitions: JsonObject): readonly Method[] {
  const roles = envelopeRoles(definitions);
  const methods = new Map<string, { -readonly [K in keyof Method]: Method[K] }>();
  const entries = Object.entries(definitions).flatMap(([definition, schema]) => {
    if (!isObject(schema) || typeof schema["x-method"] !== "string") return [];
    const role = roles.get(definition) ?? roleByName(definition);
    return [{ definition, role, name: schema["x-method"], side: String(schema["x-side"] ?? "both") }];
  });
  for (const { definition, role, name, side } of entries) {
    const kind = role === "notification" ? "notification" : "request";
    const key = `${name} ${side} ${kind}`;
    const method = methods.get(key) ?? { name, side, kind, params: undefined, result: undefined };
    // Without an envelope or a telling name, the first definition of a method is its params and the second its result.
    if (role === "response" || (role === "request" && method.params !== undefined)) method.result = definition;
    else method.params = definition;
    methods.set(key, method);
  }
  return [...methods.values()];
}

/** Who writes and who reads a method's params; the result goes the other way. */
export function paramsDirections(side: string): readonly Direction[] {
  const toAgent = { writer: "client", reader: "agent" };
  const toClient = { writer: "agent", reader: "client" };
  if (side === "agent") return [toAgent];
  if (side === "client") return [toClient];
  // A proxy stands between conductor and successor; both ends write to it and are written to.
  if (side === "proxy") return [{ writer: "conductor", reader: "proxy" }];
  return [toAgent, toClient];
}

export function reversed(direction: Direction): Direction {
  return { writer: direction.reader, reader: direction.writer };
}

type Role = "request" | "response" | "notification";

/** What the envelopes say: a payload named under `AgentResponse` is a result. */
function envelopeRoles(definitions: JsonObject): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const [name, schema] of Object.entries(definitions)) {
    const match = /^(?:Agent|Client|Proxy|Protocol(?:Level)?)(Request|Response|Notification)$/.exec(name);
    if (match?.[1] === undefined) continue;
    const role = match[1].toLowerCase() as Role;
    for (const [, target] of JSON.stringify(schema).matchAll(/"#\/(?:\$defs|definitions)\/([^"/]+)"/g)) {
      if (target !== undefined) roles.set(target, role);
    }
  }
  return roles;
}

function roleByName(definition: string): Role {
  if (/(Response|Result)$/.test(definition)) return "response";
  return /Notification$/.test(definition) ? "notification" : "request";
}
