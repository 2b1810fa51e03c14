import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { describe, expect, test } from "vitest";
import { ann } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import type { StoredJournalEntry } from "./engine/journal-page.js";
import { type Engine, memoryEngine } from "./index.js";

const TEXT_CHARS = 300;
const COUNT = 500_000;

/** An engine whose journal is generated page by page as it is read. */
function withLongJournal(engine: Engine, onRead: (entries: number) => void): Engine {
  const text = (seq: number): string => `${seq} `.padEnd(TEXT_CHARS, "x");
  const entryOf = (seq: number): StoredJournalEntry => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: text(seq) } };
    const entry = { type: "update", method: "session/update", params: { sessionId: "s", update } };
    return { seq, epoch: 1, text: JSON.stringify(entry) };
  };
  return {
    create: (scope, session) => engine.create(scope, session),
    find: (key) => engine.find(key),
    list: (scope, query) => engine.list(scope, query),
    count: (scope) => engine.count(scope),
    delete: (key) => engine.delete(key),
    watch: (key, onChange) => engine.watch(key, onChange),
    join: (options) => engine.join(options),
    close: () => engine.close(),
    async read(_, after = { seq: 0, epoch: 0 }, { maxEntries }) {
      const last = { seq: COUNT, epoch: 1 };
      if (after.seq > COUNT) return { is: "ahead", last };
      const count = Math.min(maxEntries, COUNT - after.seq);
      onRead(count);
      return { is: "page", entries: Array.from({ length: count }, (_, i) => entryOf(after.seq + i + 1)), last };
    },
  };
}

/** A client's transport that reads one message at a time and has a small buffer. */
class SlowClient implements Transport {
  readonly #onText: (text: string) => void;
  readonly #received = new Map<unknown, (message: Message) => void>();
  #receiver: TransportReceiver | undefined;
  #queue: Message[] = [];
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  updates = 0;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  get full(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
  }

  send(message: Message): number {
    this.#queue.push(message);
    if (this.#queue.length === 1) setImmediate(() => this.#take());
    if (this.#queue.length >= 4) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      this.#room ??= { promise, resolve };
    }
    return 0;
  }

  pause(): void {}
  resume(): void {}
  async close(): Promise<void> {
    this.#receiver?.ended();
  }

  /** Sends a request to the gateway and resolves with its response. */
  request(id: number, method: string, params: object): Promise<Message> {
    return new Promise((resolve) => {
      this.#received.set(id, resolve);
      this.#receiver?.message({ jsonrpc: "2.0", id, method, params }, 0);
    });
  }

  #take(): void {
    const message = this.#queue.shift() as { readonly id?: unknown; readonly params?: unknown } | undefined;
    if (message === undefined) return;
    const { update } = (message.params ?? {}) as { readonly update?: { readonly content: { readonly text: string } } };
    if (update !== undefined) {
      this.updates += 1;
      this.#onText(update.content.text);
    } else this.#received.get(message.id)?.(message as Message);
    if (this.#queue.length < 2) {
      this.#room?.resolve();
      this.#room = undefined;
    }
    if (this.#queue.length > 0) setImmediate(() => this.#take());
  }
}

describe("a session of 150 MB", () => {
  test("gateway.bounded-replay: is loaded completely, in joined chunks, with only a small part in memory", {
    timeout: 180_000,
  }, async () => {
    const held = { read: 0, received: 0, peak: 0 };
    let isCounting = false;
    const engine = withLongJournal(memoryEngine({ now: () => 0 }), (entries) => {
      if (!isCounting) return;
      held.read += entries;
      held.peak = Math.max(held.peak, held.read - held.received);
    });
    await engine.create(
      { tenant: ann.tenant, user: ann.user },
      {
        sessionId: "s",
        cwd: "/work",
        additionalDirectories: [],
        state: JSON.stringify({
          agentSessionId: "a",
          setup: {},
          turn: null,
          requests: [],
          ended: [],
          turns: 0,
          kept: { first: 1, turns: 0, chars: 0, since: null },
          lost: null,
        }),
      },
    );
    const rig = await startRig({ engine });
    const client = new SlowClient((text) => {
      for (let at = 0; at < text.length; at += TEXT_CHARS)
        if (Number.parseInt(text.slice(at, at + 10), 10) !== ++held.received)
          throw new Error(`${text.slice(at, at + 10)} came as number ${held.received}`);
    });
    rig.gateway.accept(client, ann);
    await client.request(1, "initialize", { protocolVersion: 1 });
    isCounting = true;
    const response = await client.request(2, "session/load", { sessionId: "s", cwd: "/work", mcpServers: [] });
    expect(response).toMatchObject({ result: {} });
    expect(held.received).toBe(COUNT);
    expect(client.updates).toBe(Math.ceil(COUNT / Math.floor(65_536 / TEXT_CHARS)));
    // A page, the joined text and the buffer of the transport: about half a megabyte of 150.
    expect(held.peak).toBeLessThan(1_000 + 218 * 7);
  });
});
