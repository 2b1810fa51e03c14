import { isObject, type JsonObject } from "./json.js";

export type Role = "request" | "response" | "notification";

/** One payload that an envelope lists. */
export interface ListedPayload {
  readonly role: Role;
  /** The side that handles the method. The client handles requests that the agent sends. `both` if either side sends it. */
  readonly handler: string;
  /** The common part of the names of a request and its response: `CreateTerminal`. */
  readonly stem: string;
  /** The definition; `undefined` if the payload is `null`. */
  readonly definition: string | undefined;
}

const envelope = /^(Agent|Client|Proxy|Protocol(?:Level)?)(Request|Response|Notification)$/;

/**
 * Returns the payloads that the envelopes list: `AgentRequest` lists the requests that an agent sends, `AgentResponse` its results.
 *
 * In files before `x-method`, and for definitions without it, only these lists determine the methods of a definition and the side that
 * handles them.
 */
export function payloadLists(definitions: JsonObject): readonly ListedPayload[] {
  const listed: ListedPayload[] = [];
  // In the first files, an envelope had the name of the receiver, and in later files it has the name of the sender. The envelope that contains
  // `initialize` shows which rule a file follows, because only an agent receives `initialize`.
  const swapped = payloadsOf(definitions.AgentRequest).some(({ title }) => title === "InitializeRequest");
  for (const [name, schema] of Object.entries(definitions)) {
    const [, party, kind] = envelope.exec(name) ?? [];
    if (party === undefined || kind === undefined) continue;
    const role = kind.toLowerCase() as Role;
    const sender = partyOf(party);
    const handler = (role === "response") !== swapped ? sender : opposite(sender);
    for (const { title, definition } of payloadsOf(schema)) {
      if (/^Ext(Method)?(Request|Response|Notification)?$/.test(title)) continue;
      listed.push({ role, handler, stem: stemOf(title), definition });
    }
  }
  return listed;
}

/** Whether a file has a list of results. Only in such a file does a missing result mean that the method has no result. */
export function listsResults(listed: readonly ListedPayload[], handler: string): boolean {
  return listed.some((one) => one.role === "response" && one.handler === handler);
}

/** Removes the suffix: `KillTerminalCommandRequest` → `KillTerminalCommand`. */
export function stemOf(name: string): string {
  return name.replace(/(Request|Response|Notification|Result)$/, "");
}

function partyOf(party: string): string {
  if (party === "Agent" || party === "Client") return party.toLowerCase();
  return party === "Proxy" ? "proxy" : "both";
}

function opposite(party: string): string {
  return party === "agent" ? "client" : party === "client" ? "agent" : party;
}

/** Returns references and titled `null`s below `params`, `result` and unions. An id or an error is not a payload. */
function payloadsOf(schema: unknown): readonly { readonly title: string; readonly definition: string | undefined }[] {
  if (!isObject(schema)) return [];
  const name = referenceOf(schema);
  if (name !== undefined) return [{ title: name, definition: name }];
  if (schema.type === "null" && typeof schema.title === "string")
    return [{ title: schema.title, definition: undefined }];
  const members = isObject(schema.properties) ? [schema.properties.params, schema.properties.result] : [];
  const branches = ["anyOf", "oneOf"].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  return [...members, ...branches].flatMap(payloadsOf);
}

function referenceOf(schema: JsonObject): string | undefined {
  const [only, ...more] = Array.isArray(schema.allOf) ? (schema.allOf as readonly unknown[]) : [];
  const reference = schema.$ref ?? (isObject(only) && more.length === 0 ? only.$ref : undefined);
  if (typeof reference !== "string") return undefined;
  return /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
}
