import { referencesIn } from "@acp-kit/codegen/check-nesting";
import { isObject } from "../normalize/json.js";
import { definitionsOf, type Model } from "../normalize/model.js";
import type { Shape } from "../normalize/shape.js";

/** A member of a JSON-RPC envelope for which the schema declares a type: an id or an error. */
export interface EnvelopeSlot {
  /** `AgentRequest.id`, `ClientResponse(Error).error` */
  readonly name: string;
  readonly writer: "agent" | "client" | "both";
  readonly shape: Shape;
}

/**
 * Returns these members of all envelopes, independent of how the file nests the envelopes.
 *
 * JSON-RPC defines the other members, and schema files of different years contain them in four forms. A comparison would report changes that are not
 * visible on the wire. Payloads belong to their methods.
 */
export function envelopeSlots(model: Model): ReadonlyMap<string, EnvelopeSlot> {
  const definitions = definitionsOf(model.document);
  const slots = new Map<string, EnvelopeSlot>();
  for (const [name, schema] of Object.entries(definitions)) {
    const sender = /^(Agent|Client|Proxy)(?:Request|Response|OutgoingMessage)$/.exec(name)?.[1];
    if (sender === undefined) continue;
    const writer = sender === "Agent" ? "agent" : sender === "Client" ? "client" : "both";
    const add = (kind: string, member: string, raw: unknown): void => {
      const slot = `${sender}${kind}.${member}`;
      if (raw !== undefined && !slots.has(slot)) slots.set(slot, { name: slot, writer, shape: model.normalize(raw) });
    };
    visit(schema, undefined, add);
  }
  return slots;
}

type Add = (kind: string, member: string, raw: unknown) => void;

function visit(schema: unknown, outerId: unknown, add: Add): void {
  if (!isObject(schema)) return;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const id = properties.id ?? outerId;
  if ("method" in properties && id !== undefined) add("Request", "id", id);
  if ("result" in properties) add("Response(Result)", "id", id);
  if ("error" in properties) {
    add("Response(Error)", "id", id);
    add("Response(Error)", "error", properties.error);
  }
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[keyword];
    if (Array.isArray(branches)) for (const branch of branches) visit(branch, id, add);
  }
}

/** Returns the sides that may send several messages in one JSON array. */
export function batchSenders(model: Model): ReadonlySet<string> {
  const senders = new Set<string>();
  for (const name of referencesIn(model.document.anyOf ?? model.document.oneOf ?? [])) {
    if (!name.includes("Batch")) continue;
    senders.add(name.startsWith("Agent") ? "agent" : name.startsWith("Client") ? "client" : "both");
  }
  return senders;
}
