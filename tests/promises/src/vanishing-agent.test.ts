import { type AgentConnection, type ConnectAgentOptions, connectAgent, isConnectionError } from "@acp-kit/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { transports } from "./harness/connect.js";
import { type RawAgent, rawAgent, waysToDie } from "./harness/raw-agent.js";
import { isUpdate, Wire } from "./harness/wire.js";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The name of each way to end. */
const reasons: Readonly<Record<string, string>> = {
  ends: "peer_closed",
  breaks: "transport_failed",
  exits: "peer_closed",
  "is killed": "peer_closed",
  "dies in the middle of a line": "peer_closed",
  "closes its output": "peer_closed",
  "closes its input": "transport_failed",
};

interface Scene {
  readonly agent: RawAgent;
  readonly client: AgentConnection;
  /** The signals of handlers that were running when the agent ended. */
  readonly signals: AbortSignal[];
}

/**
 * Runs the conversation up to a point and returns the pending promises. All of them must settle when the agent ends.
 */
type Point = (scene: Scene) => Promise<Promise<unknown>[]>;

const open = { sessionId: "s1", cwd: "/work" };
const permission = {
  sessionId: "s1",
  toolCall: { toolCallId: "t1" },
  options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
};

const points: Readonly<Record<string, Point>> = {
  "while a session is created": async ({ agent, client }) => {
    agent.peer.answer("session/new", () => undefined);
    const session = client.newSession({ cwd: "/work" });
    await agent.peer.next("session/new");
    return [session];
  },
  "while a session is loaded, after half of its history": async ({ agent, client }) => {
    let received = (): void => {};
    const half = new Promise<void>((resolve) => {
      received = resolve;
    });
    const session = client.loadSession(open, { onUpdate: () => received() });
    await agent.peer.next("session/load");
    agent.peer.say("s1", "once");
    await half;
    return [session];
  },
  "before the first update of a turn": async ({ agent, client }) => {
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    await agent.peer.next("session/prompt");
    return [turn.result];
  },
  "between two updates, while the updates are read and another prompt is queued": async ({ agent, client }) => {
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    const waiting = session.prompt("then");
    await agent.peer.next("session/prompt");
    const updates = turn[Symbol.asyncIterator]();
    agent.peer.say("s1", "one");
    await updates.next();
    const end = updates.next().then(({ done }) => {
      if (!done) throw new Error("There was no further update");
      return turn.result; // Reading ends without an error; the result has the reason.
    });
    return [turn.result, waiting.result, end];
  },
  "after a cancel, before the response": async ({ agent, client }) => {
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    await agent.peer.next("session/prompt");
    turn.cancel();
    await agent.peer.next("session/cancel");
    return [turn.result];
  },
  "while a permission request is open": async ({ agent, client, signals }) => {
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    await agent.peer.next("session/prompt");
    void agent.peer.request("session/request_permission", permission);
    await agent.peer.fence();
    expect(signals).toHaveLength(1);
    return [turn.result];
  },
  "while a form is open": async ({ agent, client, signals }) => {
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    await agent.peer.next("session/prompt");
    const params = {
      sessionId: "s1",
      mode: "form",
      message: "Name?",
      requestedSchema: { type: "object", properties: {} },
    };
    void agent.peer.request("elicitation/create", params);
    await agent.peer.fence();
    expect(signals).toHaveLength(1);
    return [turn.result];
  },
  "while ordinary requests are open": async ({ agent, client }) => {
    const session = await client.newSession({ cwd: "/work" });
    const pending = [
      client.listSessions().next(),
      client.deleteSession("s2"),
      client.resumeSession({ ...open, sessionId: "s3" }),
      client.peer.request("session/set_mode", { sessionId: session.sessionId, modeId: "code" }),
      client.peer.request("session/set_config_option", {
        sessionId: session.sessionId,
        configId: "model",
        value: "fast",
      }),
      client.authenticate("token"),
      client.logout(),
      client.extensionRequest("_test/anything"),
      session.close(),
    ];
    await agent.peer.next("session/close");
    return pending;
  },
};

const options = (signals: AbortSignal[]): ConnectAgentOptions => ({
  permissions: (_request, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  },
  elicitation: {
    form: (_request, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  },
});

// Nothing here waits for a deadline, and no deadline remains.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  await expect.poll(() => vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe.each(transports)("over %s", (kind) => {
  describe.each(waysToDie[kind])("the agent %s", (way) => {
    it("settle.agent-gone: TRANS-12 while connecting", async () => {
      await using agent = await rawAgent(kind);
      agent.peer.answer("initialize", () => undefined);
      const connecting = connectAgent(agent.transport);
      await agent.peer.next("initialize");
      agent.die(way);
      if (way === "closes its input") {
        // The client writes nothing while it waits for the response, so it only notices the end of the output.
        agent.die("exits");
        await expect(connecting).rejects.toMatchObject({ name: "ConnectionError", method: "initialize" });
      } else {
        await expect(connecting).rejects.toMatchObject({
          name: "ConnectionError",
          // An HTTP server must respond to the POST with an error, which does not end the connection.
          code: kind === "streamable HTTP" ? "transport_failed" : reasons[way],
          method: "initialize",
        });
      }
    });

    it("order.result-after-handlers: the turn rejects after the handlers of all updates that had arrived", async () => {
      await using agent = await rawAgent(kind);
      const wire = new Wire();
      const client = await connectAgent(agent.transport, { tap: wire.tap });
      const session = await client.newSession({ cwd: "/work" });
      const handled: unknown[] = [];
      let start = (): void => {};
      const started = new Promise<void>((resolve) => {
        start = resolve;
      });
      session.onUpdate(async (update) => {
        await started;
        await tick();
        handled.push((update as { content?: { text: string } }).content?.text);
      });
      const atRejection = session.prompt("go").result.then(
        () => "fulfilled",
        () => [...handled],
      );
      await agent.peer.next("session/prompt");
      for (const text of ["1", "2", "3", "4"]) agent.peer.say("s1", text);
      await wire.count(4, isUpdate());
      agent.die(way);
      const closed = way === "closes its input" ? writeUntilClosed(client) : client.closed;
      while (client.state === "initialized") await tick();
      start();
      expect(await atRejection).toEqual(["1", "2", "3", "4"]);
      await closed;
    });

    it.each(Object.entries(points))("settle.agent-gone: TRANS-12 %s", async (_name, bring) => {
      await using agent = await rawAgent(kind);
      const signals: AbortSignal[] = [];
      const client = await connectAgent(agent.transport, options(signals));
      let abortedFirst: boolean | undefined;
      void client.closed.then(() => {
        abortedFirst = signals.every(({ aborted }) => aborted);
      });
      const pending = await bring({ agent, client, signals });
      agent.die(way);
      const errors = Promise.all(
        pending.map((promise) =>
          promise.then(
            () => undefined,
            (error: unknown) => error,
          ),
        ),
      );
      if (way === "closes its input") await writeUntilClosed(client);

      const reason = await client.closed;
      expect(reason).toMatchObject({ name: "ConnectionError", code: reasons[way] });
      for (const error of await errors) {
        expect(error).toMatchObject({ name: "ConnectionError", code: reasons[way], method: expect.any(String) });
        expect((error as Error).cause).toBe(reason.cause ?? reason); // The reason that ended the connection.
      }
      expect(abortedFirst).toBe(true);
      expect(client.state).toBe("closed");
      const late: unknown = await client.newSession({ cwd: "/work" }).catch((error: unknown) => error);
      expect(isConnectionError(late) && late.code).toBe(reasons[way]);
    });
  });
});

/** Only a writer notices a closed pipe. The client waits for further output of the agent. */
async function writeUntilClosed(client: AgentConnection): Promise<void> {
  let closed = false;
  void client.closed.then(() => {
    closed = true;
  });
  while (!closed) {
    void client.extensionNotify("_test/poke");
    await tick();
    vi.advanceTimersByTime(1);
  }
}
