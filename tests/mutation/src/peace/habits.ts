import type { MakeMutation, Message, Written } from "../wire/mutation.js";
import { alter, call, inject, notification, request } from "../wire/operators.js";

/** A legal peculiarity of a peer. */
export interface Habit {
  /** For the end of the sentence "a peer that …". */
  readonly habit: string;
  readonly mutation: MakeMutation;
}

const every = (): boolean => true;
const encoder = new TextEncoder();

/** Sends its requests under other ids. */
const ids =
  (idOf: (id: unknown) => unknown): MakeMutation =>
  () => {
    const own = new Map<unknown, unknown>();
    return {
      fromPeer(message) {
        if (!("method" in message && "id" in message)) return undefined;
        const id = idOf(message.id);
        own.set(id, message.id);
        return [{ ...message, id }];
      },
      fromKit: (message) =>
        !("method" in message) && own.has(message.id) ? [{ ...message, id: own.get(message.id) }] : undefined,
    };
  };

/** Sends what this selects some time later, and everything in its order. */
export const slow =
  (ms: number, wanted: (message: Message) => boolean = every): MakeMutation =>
  () => {
    let last = Promise.resolve();
    let waiting = 0;
    return {
      fromPeer(message, wire) {
        if (waiting === 0 && !wanted(message)) return undefined;
        const pause = wanted(message) ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : undefined;
        waiting++;
        last = Promise.all([last, pause]).then(() => {
          waiting--;
          wire.toKit(message);
        });
        return [];
      },
    };
  };

const inPieces = (message: Message): readonly Written[] =>
  [...encoder.encode(`${JSON.stringify(message)}\n`)].map((byte) => Uint8Array.of(byte));

const reversed = (message: Message): Message => Object.fromEntries(Object.entries(message).reverse());

/** What agents and clients may do alike. */
export const habits: readonly Habit[] = [
  { habit: "writes its members in another order", mutation: () => ({ fromPeer: (message) => [reversed(message)] }) },
  {
    habit: "adds _meta everywhere",
    mutation: alter(every, (message) => {
      for (const name of ["params", "result"]) {
        if (typeof message[name] === "object" && message[name] !== null)
          message[name]._meta = { "example.com/x": [null, { deep: 1 }] };
      }
    }),
  },
  {
    habit: "sends null for _meta",
    mutation: alter(every, (message) => {
      for (const name of ["params", "result"]) {
        if (typeof message[name] === "object" && message[name] !== null) message[name]._meta = null;
      }
    }),
  },
  { habit: "has ids that are texts", mutation: ids((id) => `request/${id}`) },
  { habit: "has ids that count down", mutation: ids((id) => -1 - Number(id)) },
  { habit: "has large ids", mutation: ids((id) => Number.MAX_SAFE_INTEGER - Number(id)) },
  { habit: "writes byte by byte", mutation: () => ({ fromPeer: inPieces }) },
  { habit: "is a little slow in everything", mutation: slow(15) },
  {
    habit: "sends notifications of its own",
    mutation: inject(
      (message) => message.method === "session/prompt" || message.result?.stopReason !== undefined,
      () => [notification("_example.com/note", { at: 1 }), notification("$/example", {})],
    ),
  },
  {
    habit: "sends requests of its own",
    mutation: inject(
      (message) => message.method === "session/prompt" || message.result?.sessionId !== undefined,
      () => [request("_example.com/hello", {}, "hello")],
    ),
  },
  {
    habit: "has members of newer versions in what the schema leaves open",
    mutation: alter(call("initialize"), ({ params }) => (params.clientCapabilities.future = { teleport: {} })),
  },
];
