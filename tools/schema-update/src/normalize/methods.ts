import { isObject, type JsonObject } from "./json.js";
import { matchNames, metaNames } from "./method-names.js";
import { type ListedPayload, listsResults, payloadLists, type Role, stemOf } from "./payload-lists.js";

/** One method as the file describes it. */
export interface Method {
  /** On the wire; the name of its params where the file doesn't say (`named` is false then). */
  readonly name: string;
  readonly named: boolean;
  /** `x-side`: who handles it. `agent`, `client`, `protocol` or `both` (either), `proxy`. */
  readonly side: string;
  readonly kind: "request" | "notification";
  /** Definition of the params; early files leave it out for methods without any. */
  readonly params: string | undefined;
  /** Definition of the result; requests only. */
  readonly result: string | undefined;
  /** A request whose result is `null`: listed so, or left out of a list of results. */
  readonly nullResult: boolean;
}

/** Two endpoints of a value: its writer and its reader. */
export interface Direction {
  readonly writer: string;
  readonly reader: string;
}

type Draft = { -readonly [K in keyof Method]: Method[K] };

/**
 * The method table, from everything that a file says about it: `x-method` and `x-side` on the definitions, the lists of
 * payloads in the envelopes, and the names in `meta.json` where one stands beside it.
 */
export function methodsOf(definitions: JsonObject, meta?: JsonObject): readonly Method[] {
  const listed = payloadLists(definitions);
  const methods = [...markedMethods(definitions, listed), ...listedMethods(definitions, listed)];
  const names = metaNames(meta);
  const unused = names.filter(
    ({ name, side }) => !methods.some((one) => one.name === name && sameSide(one.side, side)),
  );
  const unnamed = methods.flatMap(({ named, side, params }) =>
    named || params === undefined ? [] : [{ side, definition: params }],
  );
  const found = matchNames(unused, unnamed);
  for (const method of methods) {
    const name = method.named ? undefined : found.get(method.params ?? "");
    if (name !== undefined) Object.assign(method, { name, named: true });
  }
  const left = unused.filter(({ name }) => !methods.some((one) => one.name === name));
  return [...methods.map((method) => withResult(method, listed)), ...left.map(bare)];
}

/** The methods whose definitions carry `x-method`. */
function markedMethods(definitions: JsonObject, listed: readonly ListedPayload[]): Draft[] {
  const places = new Map(
    listed.flatMap((one) => (one.definition === undefined ? [] : [[one.definition, one] as const])),
  );
  const methods = new Map<string, Draft>();
  for (const [definition, schema] of Object.entries(definitions)) {
    if (!isObject(schema) || typeof schema["x-method"] !== "string") continue;
    const name = schema["x-method"];
    const place = places.get(definition);
    const role = place?.role ?? roleByName(definition);
    const side = typeof schema["x-side"] === "string" ? schema["x-side"] : (place?.handler ?? "both");
    const kind = role === "notification" ? "notification" : "request";
    const key = `${name} ${side} ${kind}`;
    const method = methods.get(key) ?? draft(name, side, kind);
    // Without an envelope or a descriptive name, the first definition of a method is its params and the second its result.
    if (role === "response" || (role === "request" && method.params !== undefined)) method.result = definition;
    else method.params = definition;
    methods.set(key, method);
  }
  return [...methods.values()];
}

/** The methods that only the envelopes list. */
function listedMethods(definitions: JsonObject, listed: readonly ListedPayload[]): Draft[] {
  return listed.flatMap(({ role, handler, definition }) => {
    const schema = definition === undefined ? undefined : definitions[definition];
    if (role === "response" || definition === undefined || !isObject(schema)) return [];
    if (typeof schema["x-method"] === "string") return [];
    return [{ ...draft(definition, handler, role), named: false, params: definition }];
  });
}

function draft(name: string, side: string, kind: Method["kind"]): Draft {
  return { name, named: true, side, kind, params: undefined, result: undefined, nullResult: false };
}

/** A name in `meta.json` that nothing in the schema belongs to. */
function bare({ name, side }: { readonly name: string; readonly side: string }): Method {
  return draft(name, side, "request");
}

/** Looks a request's result up among the listed ones. */
function withResult(method: Method, listed: readonly ListedPayload[]): Method {
  if (method.kind === "notification" || method.result !== undefined || method.params === undefined) return method;
  const handler = method.side === "protocol" ? "both" : method.side;
  const answers = listed.filter((one) => one.role === "response" && one.handler === handler);
  const stem = stemOf(method.params);
  const answer = answers.find((one) => one.stem === stem);
  if (answer?.definition !== undefined) return { ...method, result: answer.definition };
  return { ...method, nullResult: answer !== undefined || listsResults(listed, handler) };
}

/** Files of different years say `both` or `protocol` for what either side may send. */
export function sameSide(a: string, b: string): boolean {
  const either = (side: string): boolean => side === "both" || side === "protocol";
  return a === b || (either(a) && either(b));
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

function roleByName(definition: string): Role {
  if (/(Response|Result)$/.test(definition)) return "response";
  return /Notification$/.test(definition) ? "notification" : "request";
}
