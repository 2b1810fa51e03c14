import type { Role } from "../../requirements/requirement.js";
import { type Conversation, type ConversationMessage, idKey } from "../../wire/conversation.js";
import { isObject, type Json, member, textOf } from "../../wire/values.js";

/** A value of a peer that a rule is about: the params or the result of a message, or an update. */
export interface Item {
  readonly value: Json;
  readonly seq: number;
  readonly message: ConversationMessage;
  readonly sessionId: unknown;
}

/** A successful `session/resume`. */
interface Resume {
  readonly sessionId: unknown;
  readonly params: unknown;
  readonly from: number;
  readonly to: number;
}

/** A conversation in version 2. */
export interface Wire {
  readonly spoken: readonly ConversationMessage[];
  /** The result of the `initialize` that agreed on version 2. */
  readonly initialized: Json;
  readonly updates: readonly Item[];
  readonly resumes: readonly Resume[];
  /** The requests that use an id of the same peer whose request is still open. */
  readonly reusedIds: ReadonlySet<number>;
}

/** Selects the values of one peer that a rule is about. */
export type Items = (wire: Wire, role: Role) => readonly Item[];

const known = new WeakMap<Conversation, Wire | undefined>();

/** Reads a conversation; `undefined` if its peers agreed on no version or on another one. */
export function readWire(conversation: Conversation): Wire | undefined {
  if (!known.has(conversation)) known.set(conversation, wireOf(conversation));
  return known.get(conversation);
}

function wireOf({ spoken }: Conversation): Wire | undefined {
  const opening = spoken.find(({ method, other }) => method === "initialize" && versionOf(other) === 2);
  const initialized = member(opening?.other?.message, "result");
  if (!isObject(initialized)) return undefined;
  const open = new Set<string>();
  const reusedIds = new Set<number>();
  for (const { seq, from, kind, message } of spoken) {
    const key = `${kind === "response" ? otherRole(from) : from} ${idKey(message.id)}`;
    if (kind === "request" && open.has(key)) reusedIds.add(seq);
    if (kind === "request") open.add(key);
    if (kind === "response") open.delete(key);
  }
  return {
    spoken,
    initialized,
    reusedIds,
    updates: spoken.flatMap((one) => (one.method === "session/update" ? itemOf(one, "params", "update") : [])),
    resumes: spoken.flatMap(({ kind, method, params, seq, other }) =>
      kind === "request" && method === "session/resume" && isObject(member(other?.message, "result"))
        ? [{ sessionId: member(params, "sessionId"), params, from: seq, to: other?.seq ?? seq }]
        : [],
    ),
  };
}

function otherRole(role: Role): Role {
  return role === "agent" ? "client" : "agent";
}

function versionOf(response: ConversationMessage | undefined): unknown {
  return member(response?.message, "result", "protocolVersion");
}

function itemOf(message: ConversationMessage, ...path: readonly string[]): readonly Item[] {
  const value = member(message.message, ...path);
  const named = message.kind === "response" ? message.other?.params : message.params;
  return isObject(value) ? [{ value, seq: message.seq, message, sessionId: member(named, "sessionId") }] : [];
}

/** All messages of the peer of this kind. */
export const requestsOfAnyMethod: Items = ({ spoken }, role) =>
  spoken.flatMap((one) => (one.from === role && one.kind === "request" ? itemOf(one) : []));

/** All messages of the peer with a method, except for `initialize`. */
export const calls: Items = ({ spoken }, role) =>
  spoken.flatMap((one) => (one.from === role && one.method !== undefined ? itemOf(one) : []));

/** The params of the peer's requests and notifications with these methods. */
export const params =
  (...methods: readonly string[]): Items =>
  (wire, role) =>
    calls(wire, role).flatMap(({ message }) =>
      methods.includes(message.method ?? "") ? itemOf(message, "params") : [],
    );

/** The results that the peer sends for requests with these methods. */
export const results =
  (...methods: readonly string[]): Items =>
  ({ spoken }, role) =>
    spoken.flatMap((one) =>
      one.from === role && one.kind === "response" && methods.includes(one.other?.method ?? "")
        ? itemOf(one, "result")
        : [],
    );

/** The updates of the agent whose tag matches. */
export const updates =
  (tag: RegExp): Items =>
  (wire) =>
    wire.updates.filter(({ value }) => tag.test(textOf(value.sessionUpdate) ?? ""));

/** What the peer says in `initialize`: the client's params or the agent's result, if they are of version 2. */
export const introduction: Items = (wire, role) =>
  role === "client"
    ? params("initialize")(wire, role)
    : results("initialize")(wire, role).filter(({ value }) => value.protocolVersion === 2);

/** The values of all these selections. */
export const either =
  (...selections: readonly Items[]): Items =>
  (wire, role) =>
    selections.flatMap((items) => items(wire, role));

/** The values that have this member. */
export const having =
  (name: string, items: Items): Items =>
  (wire, role) =>
    items(wire, role).filter(({ value }) => value[name] !== undefined && value[name] !== null);

/** Returns the resume during which an update of its session arrived. */
export function resumeOf({ resumes }: Wire, { seq, sessionId }: Item): Resume | undefined {
  return resumes.find((each) => each.sessionId === sessionId && each.from < seq && seq < each.to);
}

/** Returns the state updates of a session, in order. */
export function statesOf({ updates: all }: Wire, sessionId: unknown): readonly Item[] {
  return all.filter((each) => each.sessionId === sessionId && each.value.sessionUpdate === "state_update");
}
