import { isObject, type JsonObject } from "./json.js";
import { matchNames, metaNames } from "./method-names.js";
import { type ListedPayload, listsResults, payloadLists, type Role, stemOf } from "./payload-lists.js";

/** One method of a file. */
export interface Method {
  /** The wire name; if the file has none, the name of the params (`named` is then false). */
  readonly name: string;
  readonly named: boolean;
  /** `x-side`: the side that handles the method: `agent`, `client`, `protocol` or `both` (either side), `proxy`. */
  readonly side: string;
  readonly kind: "request" | "notification";
  /** The definition of the params. Early files omit it for methods without params. */
  readonly params: string | undefined;
  /** The definition of the result; `undefined` for a notification. */
  readonly result: string | undefined;
  /** Whether this is a request whose result is `null`. The file lists the result as `null`, or its list of results does not contain it. */
  readonly nullResult: boolean;
}

/** The writer and the reader of a value. */
export interface Direction {
  readonly writer: string;
  readonly reader: string;
}

type Draft = { -readonly [K in keyof Method]: Method[K] };

/**
 * Builds the method table from all sources in a file: `x-method` and `x-side` on the definitions, the lists of payloads in the envelopes,
 * and the names in the `meta.json` beside the file.
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

/** Returns the methods whose definitions have `x-method`. */
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
    // If neither an envelope nor the name shows the role, the first definition of a method is its params, and the second is its result.
    if (role === "response" || (role === "request" && method.params !== undefined)) method.result = definition;
    else method.params = definition;
    methods.set(key, method);
  }
  return [...methods.values()];
}

/** Returns the methods that only the envelopes list. */
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

/** Returns a method for a name in `meta.json` that matches no definition. */
function bare({ name, side }: { readonly name: string; readonly side: string }): Method {
  return draft(name, side, "request");
}

/** Finds the result of a request in the list of results. */
function withResult(method: Method, listed: readonly ListedPayload[]): Method {
  if (method.kind === "notification" || method.result !== undefined || method.params === undefined) return method;
  const handler = method.side === "protocol" ? "both" : method.side;
  const answers = listed.filter((one) => one.role === "response" && one.handler === handler);
  const stem = stemOf(method.params);
  const answer = answers.find((one) => one.stem === stem);
  if (answer?.definition !== undefined) return { ...method, result: answer.definition };
  return { ...method, nullResult: answer !== undefined || listsResults(listed, handler) };
}

/** Whether two sides are the same. `both` and `protocol` are: files of different years use one or the other for methods that either side may send. */
export function sameSide(a: string, b: string): boolean {
  const either = (side: string): boolean => side === "both" || side === "protocol";
  return a === b || (either(a) && either(b));
}

/** Returns the writers and readers of a method's params. For the result, they are reversed. */
export function paramsDirections(side: string): readonly Direction[] {
  const toAgent = { writer: "client", reader: "agent" };
  const toClient = { writer: "agent", reader: "client" };
  if (side === "agent") return [toAgent];
  if (side === "client") return [toClient];
  // A proxy is between the conductor and its successor. It reads from both and writes to both.
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
