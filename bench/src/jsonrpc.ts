// Measures a connection between the transport and the handler: `pnpm --filter @acp-kit/bench jsonrpc`, after a build.
//   … jsonrpc notify      only the scenarios whose name contains "notify"
import { Connection, type ConnectionOptions, linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { measureApart, type Scenario } from "./measure.js";

const update = {
  sessionId: "sess_0123456789abcdef",
  update: {
    sessionUpdate: "agent_message_chunk",
    messageId: "msg_1",
    content: { type: "text", text: "The quick brown fox jumps over the lazy dog." },
  },
};

/** Returns the lane of a message. As in ACP, all messages of a session are in one lane. */
const orderBy = (_method: string, params: unknown): string | undefined =>
  (params as { sessionId?: string } | undefined)?.sessionId;

/** Creates a pair of connections that all rounds of a scenario share, as all turns of an agent share a connection. */
function pair(serialize: boolean, options: ConnectionOptions = {}): [Connection, Connection] {
  const [a, b] = linkedTransports({ serialize }).map((end) => new Connection(end, { orderBy, ...options }));
  if (a === undefined || b === undefined) throw new TypeError("a pair has two ends");
  a.listen();
  b.listen();
  return [a, b];
}

function notifications(
  serialize: boolean,
  kind: string,
  handler: () => void | Promise<void>,
  tapped = false,
): Scenario {
  const count = 200_000;
  const [sender, receiver] = pair(serialize, tapped ? { tap: () => {} } : {});
  receiver.onNotification("session/update", handler);
  receiver.onRequest("session/prompt", () => null);
  return {
    name: `notify → handler, ${kind}, ${serialize ? "as JSON" : "by reference"}${tapped ? ", tapped" : ""}`,
    count,
    prepare: () => async () => {
      for (let i = 0; i < count; i += 1) {
        const full = sender.notify("session/update", update);
        if (full !== undefined) await full;
      }
      await sender.request("session/prompt", update);
    },
  };
}

function requests(serialize: boolean, atOnce: number, handler: () => unknown, kind: string): Scenario {
  const count = 50_000;
  const [caller, answerer] = pair(serialize);
  answerer.onRequest("fs/read_text_file", handler);
  return {
    name: `request → result, ${kind}, ${atOnce} at once, ${serialize ? "as JSON" : "by reference"}`,
    count,
    prepare: () => async () => {
      for (let i = 0; i < count; i += atOnce) {
        if (atOnce === 1) await caller.request("fs/read_text_file", update);
        else await Promise.all(Array.from({ length: atOnce }, () => caller.request("fs/read_text_file", update)));
      }
    },
  };
}

/**
 * Queues messages behind one slow handler, and then handles them. The time is linear if the time per message does not
 * depend on the count.
 */
function backlog(count: number, kind: string, handler: () => void | Promise<void>): Scenario {
  return {
    name: `drain ${count.toLocaleString("en-US")} queued messages, ${kind}`,
    count,
    prepare() {
      const transport = manual();
      const connection = new Connection(transport, { orderBy });
      let release = (): void => {};
      let left = count;
      let done = (): void => {};
      const finished = new Promise<void>((resolve) => {
        done = resolve;
      });
      const slow = new Promise<void>((resolve) => {
        release = resolve;
      });
      connection.onNotification("slow", () => slow);
      connection.onNotification("session/update", () => {
        left -= 1;
        if (left === 0) done();
        return handler();
      });
      connection.listen();
      transport.deliver({ jsonrpc: "2.0", method: "slow", params: update });
      for (let i = 0; i < count; i += 1) {
        transport.deliver({ jsonrpc: "2.0", method: "session/update", params: update }, 200);
      }
      return () => {
        release();
        return finished;
      };
    },
  };
}

/** Queues messages with flow control while requests are pending, to measure the decision whether reading may pause. */
function judging(pending: number): Scenario {
  const count = 100_000;
  return {
    name: `queue over the mark with ${pending.toLocaleString("en-US")} requests pending`,
    count,
    prepare() {
      const transport = manual();
      const connection = new Connection(transport, { orderBy });
      connection.onNotification("slow", () => new Promise<void>(() => {}));
      connection.listen();
      // Reading may pause while only the ordered requests (`session/prompt`) are pending, but not while `session/list`
      // is pending. The connection decides that again and again.
      for (let i = 1; i < pending; i += 1) void connection.request("session/prompt", update, { alwaysOrdered: true });
      void connection.request("session/list", {});
      return async () => {
        for (let i = 0; i < count; i += 1) transport.deliver({ jsonrpc: "2.0", method: "slow", params: update }, 200);
      };
    },
  };
}

/** Creates a transport that delivers the messages of the benchmark. */
function manual(): Transport & { deliver(message: unknown, size?: number): void } {
  let receive = (_message: unknown, _size: number): void => {};
  return {
    full: undefined,
    start(receiver) {
      receive = (message, size) => receiver.message(message, size);
    },
    deliver: (message, size = 0) => receive(message, size),
    send: () => 0,
    pause() {},
    resume() {},
    close: () => Promise.resolve(),
  };
}

const sync = (): void => {};
const async = async (): Promise<void> => {};
const slowAsync = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) await null;
};

const scenarios = [
  ...[false, true].flatMap((serialize) => [
    notifications(serialize, "sync", sync),
    notifications(serialize, "async", async),
    notifications(serialize, "async of 3 awaits", slowAsync),
  ]),
  notifications(false, "sync", sync, true),
  ...[false, true].flatMap((serialize) => [
    requests(serialize, 1, () => ({ content: "text" }), "sync"),
    requests(serialize, 1, async () => ({ content: "text" }), "async"),
    requests(serialize, 64, async () => ({ content: "text" }), "async"),
  ]),
  ...[25_000, 50_000, 100_000, 200_000].flatMap((count) => [
    backlog(count, "sync", sync),
    backlog(count, "async", async),
  ]),
  judging(1),
  judging(10_000),
];

await measureApart(scenarios);
