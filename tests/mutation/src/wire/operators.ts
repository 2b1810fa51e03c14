import type { MakeMutation, Message, Mutation, Wire, Written } from "./mutation.js";

/** Whether a mutation applies to a message. */
export type When = (message: Message, wire: Wire) => boolean;
type Change = (message: Message, wire: Wire) => unknown;
type More = (message: Message, wire: Wire) => readonly Written[];

// Predicates that select messages.

/** A request or a notification with this method. */
export const call =
  (method: string): When =>
  (message) =>
    message.method === method;

/** A session update of one of these kinds. */
export const update =
  (...tags: readonly string[]): When =>
  (message) =>
    message.method === "session/update" && tags.includes(message.params?.update?.sessionUpdate);

/** The peer's result for a request of the kit with this method. */
export const result =
  (method: string): When =>
  (message, wire) =>
    !("method" in message) && "result" in message && wire.askedByKit(message)?.method === method;

/** The peer's error for a request of the kit. */
export const anError =
  (method?: string): When =>
  (message, wire) => {
    const asked = "error" in message ? wire.askedByKit(message) : undefined;
    return asked !== undefined && (method === undefined || asked.method === method);
  };

/** The kit's result for a request of the peer with this method. */
export const reply =
  (method: string): When =>
  (message, wire) =>
    !("method" in message) && "result" in message && wire.askedByPeer(message)?.method === method;

/** Selects messages that both predicates select. */
export const both =
  (one: When, other: When): When =>
  (message, wire) =>
    one(message, wire) && other(message, wire);

/** Selects only the first message. */
export function first(when: When): When {
  const seen = new WeakSet<Wire>();
  return (message, wire) => {
    if (seen.has(wire) || !when(message, wire)) return false;
    seen.add(wire);
    return true;
  };
}

// Changes of messages of the peer.

/** Drops it. */
export const drop =
  (when: When): MakeMutation =>
  () => ({ fromPeer: (message, wire) => (when(message, wire) ? [] : undefined) });

/** Changes it. */
export const alter =
  (when: When, change: Change): MakeMutation =>
  () => ({
    fromPeer(message, wire) {
      if (!when(message, wire)) return undefined;
      const copy = structuredClone(message);
      change(copy, wire);
      return [copy];
    },
  });

/** Replaces it. */
export const replace =
  (when: When, by: More): MakeMutation =>
  () => ({ fromPeer: (message, wire) => (when(message, wire) ? by(message, wire) : undefined) });

/** Sends it twice. */
export const duplicate = (when: When): MakeMutation => replace(when, (message) => [message, message]);

/** Sends more after it. */
export const inject = (when: When, more: More): MakeMutation =>
  replace(when, (message, wire) => [message, ...more(message, wire)]);

/** Sends more before it. */
export const injectBefore = (when: When, more: More): MakeMutation =>
  replace(when, (message, wire) => [...more(message, wire), message]);

/** Delays the message until another message has passed. */
export const late =
  (when: When, until: When): MakeMutation =>
  () => {
    const held: Message[] = [];
    return {
      fromPeer(message, wire) {
        if (when(message, wire)) {
          held.push(message);
          return [];
        }
        return until(message, wire) ? [message, ...held.splice(0)] : undefined;
      },
    };
  };

/** Responds to a request of the peer without the kit. */
export const absorb =
  (when: When, made: object = {}): MakeMutation =>
  () => ({
    fromPeer(message, wire) {
      if (!when(message, wire)) return undefined;
      wire.toPeer({ jsonrpc: "2.0", id: message.id, result: made });
      return [];
    },
  });

// Changes of messages of the kit, so that the peer acts on another message than the kit sent.

/** Changes it. */
export const mislead =
  (when: When, change: Change): MakeMutation =>
  () => ({
    fromKit(message, wire) {
      if (!when(message, wire)) return undefined;
      const copy = structuredClone(message);
      change(copy, wire);
      return [copy];
    },
  });

/** Drops the message: the peer never gets it. */
export const swallow =
  (when: When): MakeMutation =>
  () => ({ fromKit: (message, wire) => (when(message, wire) ? [] : undefined) });

/** Drops the request and sends the kit a response immediately. */
export const answer =
  (when: When, made: Message | ((message: Message, wire: Wire) => Message)): MakeMutation =>
  () => ({
    fromKit(message, wire) {
      if (!when(message, wire)) return undefined;
      const outcome = typeof made === "function" ? made(message, wire) : made;
      wire.toKit({ jsonrpc: "2.0", id: message.id ?? null, ...outcome });
      return [];
    },
  });

/** Adds a message of the peer after this message of the kit. */
export const react =
  (when: When, more: More): MakeMutation =>
  () => ({
    fromKit(message, wire) {
      if (when(message, wire)) for (const each of more(message, wire)) wire.toKit(each);
      return undefined;
    },
  });

/** Ends the connection when this message arrives. */
export const dies =
  (when: When): MakeMutation =>
  () => ({
    fromKit(message, wire) {
      if (!when(message, wire)) return undefined;
      wire.die();
      return [];
    },
  });

/** Combines two mutations that break no rule alone. */
export const together =
  (...made: readonly MakeMutation[]): MakeMutation =>
  () => {
    const all: readonly Mutation[] = made.map((make) => make());
    const pass = (side: "fromPeer" | "fromKit") => (message: Message, wire: Wire) => {
      for (const each of all) {
        const changed = each[side]?.(message, wire);
        if (changed) return changed as Message[];
      }
      return undefined;
    };
    return { fromPeer: pass("fromPeer"), fromKit: pass("fromKit") };
  };

// Messages.

export const failed: Message = { error: { code: -32603, message: "No" } };

export const notification = (method: string, params: object = {}): Message => ({ jsonrpc: "2.0", method, params });

/** A request of the peer with an id that it does not use itself. */
export const request = (method: string, params: object = {}, id: unknown = "mutant"): Message => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** An update of the session of another message. */
export const updateOf = (message: Message, rest: object): Message =>
  notification("session/update", { sessionId: message.params?.sessionId, update: rest });
