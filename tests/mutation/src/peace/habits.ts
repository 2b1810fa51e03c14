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

/** Delays the selected messages, and keeps the order of all messages. */
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

/** Legal habits of agents and of clients. */
export const habits: readonly Habit[] = [
  { habit: "sends members in another order", mutation: () => ({ fromPeer: (message) => [reversed(message)] }) },
  {
    habit: "adds _meta to all params and results",
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
  { habit: "uses strings as ids", mutation: ids((id) => `request/${id}`) },
  { habit: "uses decreasing numbers as ids", mutation: ids((id) => -1 - Number(id)) },
  { habit: "uses large numbers as ids", mutation: ids((id) => Number.MAX_SAFE_INTEGER - Number(id)) },
  { habit: "writes one byte at a time", mutation: () => ({ fromPeer: inPieces }) },
  { habit: "delays every message a little", mutation: slow(15) },
  {
    habit: "sends extension notifications",
    mutation: inject(
      (message) => message.method === "session/prompt" || message.result?.stopReason !== undefined,
      () => [notification("_example.com/note", { at: 1 }), notification("$/example", {})],
    ),
  },
  {
    habit: "sends extension requests",
    mutation: inject(
      (message) => message.method === "session/prompt" || message.result?.sessionId !== undefined,
      () => [request("_example.com/hello", {}, "hello")],
    ),
  },
  {
    habit: "sends unknown members in open objects",
    mutation: alter(call("initialize"), ({ params }) => (params.clientCapabilities.future = { teleport: {} })),
  },
];
