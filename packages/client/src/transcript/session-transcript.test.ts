import { type Diagnostic, linkedTransports, Peer, RpcError, type V1AgentCalls, v1Agent } from "@acp-kit/protocol";
import type { SessionUpdate } from "@acp-kit/types";
import { afterEach, describe, expect, test } from "vitest";
import { connectAgent } from "../connect-agent.js";
import type { ConnectAgentOptions } from "../connect-options.js";
import type { Session } from "../session/session.js";
import type { MessageEntry, ToolCallEntry } from "./transcript-entry.js";

type AgentPeer = Peer<V1AgentCalls>;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((end) => end.close()));
});

/** A client, and an agent that is a bare peer. */
async function connect(agent: (peer: AgentPeer) => void, options: ConnectAgentOptions = {}) {
  const [agentSide, clientSide] = linkedTransports();
  const peer: AgentPeer = new Peer(agentSide, v1Agent);
  peer.handle("initialize", ({ clientCapabilities }) => {
    peer.setAgreement({ protocolVersion: 1, capabilities: clientCapabilities });
    return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
  });
  peer.handle("session/new", () => ({
    sessionId: "s",
    modes: {
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    },
  }));
  peer.handle("session/set_mode", () => ({}));
  peer.connection.onRequest("fence", () => null);
  agent(peer);
  peer.connection.listen();
  const diagnostics: Diagnostic[] = [];
  const client = await connectAgent(clientSide, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  open.push(client, peer.connection);
  return { client, peer, diagnostics };
}

const update = (peer: AgentPeer, update: SessionUpdate): void => {
  void peer.notify("session/update", { sessionId: "s", update });
};
const said = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});
const user = (text: string): SessionUpdate => ({
  sessionUpdate: "user_message_chunk",
  content: { type: "text", text },
});
const texts = ({ transcript }: Session): string[] =>
  transcript.snapshot.entries.map((entry) => ("text" in entry ? entry.text : entry.type));

describe("a session's transcript", () => {
  test("has the prompt, messages, tool calls and the end of the turn", async () => {
    const { client } = await connect(
      (peer) => {
        peer.handle("session/prompt", async () => {
          update(peer, said("I will "));
          update(peer, said("run it."));
          const toolCall = { toolCallId: "t", title: "rm -rf", kind: "execute" as const };
          const options = [{ optionId: "n", name: "No", kind: "reject_once" as const }];
          await peer.request("session/request_permission", { sessionId: "s", toolCall, options });
          return { stopReason: "end_turn" };
        });
      },
      { permissions: async () => "reject_once" },
    );
    const session = await client.newSession({ cwd: "/work" });
    const seen: string[] = [];
    session.transcript.subscribe(() => seen.push(session.transcript.snapshot.activity));
    await session.prompt("Clean up").result;
    expect(texts(session)).toEqual(["Clean up", "I will run it.", "tool_call"]);
    expect(session.transcript.snapshot).toMatchObject({
      sessionId: "s",
      activity: "idle",
      turns: [{ state: "ended", stopReason: "end_turn" }],
      modes: { currentModeId: "ask" },
    });
    expect(session.transcript.snapshot.entries[2]).toMatchObject({
      title: "rm -rf",
      unfinished: true,
      permission: { state: "decided", chosen: { kind: "reject_once" } },
    });
    expect(seen[0]).toBe("running");
    expect(seen.at(-1)).toBe("idle");
  });

  test("shows a permission request while it is open", async () => {
    const { client } = await connect(
      (peer) => {
        peer.handle("session/prompt", async () => {
          const options = [{ optionId: "y", name: "Yes", kind: "allow_once" as const }];
          await peer.request("session/request_permission", { sessionId: "s", toolCall: { toolCallId: "t" }, options });
          return { stopReason: "end_turn" };
        });
      },
      {
        permissions: async (_, { session }) => {
          expect(session?.transcript.snapshot.entries.at(-1)).toMatchObject({ permission: { state: "open" } });
          return "allow_once";
        },
      },
    );
    const session = await client.newSession({ cwd: "/work" });
    await session.prompt("Go").result;
    expect(session.transcript.snapshot.entries.at(-1)).toMatchObject({ permission: { chosen: { optionId: "y" } } });
  });

  test("activity is right for updates outside turns, even right after the response", async () => {
    const { client, peer } = await connect((peer) => {
      peer.handle("session/prompt", (_, { afterResponse }) => {
        update(peer, said("A"));
        afterResponse(() => update(peer, { sessionUpdate: "tool_call", toolCallId: "late", title: "Late" }));
        return { stopReason: "end_turn" };
      });
    });
    const session = await client.newSession({ cwd: "/work" });
    expect(session.activity).toBe("idle");
    const turn = session.prompt("Go");
    expect(session.activity).toBe("running");
    await turn.result;
    update(peer, said("B"));
    await client.peer.connection.request("fence", {});
    expect(session.activity).toBe("idle");
    const { activity, entries, turns } = session.transcript.snapshot;
    expect(activity).toBe("idle");
    expect(entries.map(({ turn }) => turn)).toEqual([0, 0, undefined, undefined]);
    expect(turns).toEqual([{ state: "ended", firstEntry: 0, stopReason: "end_turn" }]);
  });

  test("a failed turn has its error, with the code", async () => {
    const { client } = await connect((peer) => {
      peer.handle("session/prompt", () => {
        throw new RpcError(-32603, "Overloaded");
      });
    });
    const session = await client.newSession({ cwd: "/work" });
    await session.prompt("Go").result.catch(() => {});
    expect(session.transcript.snapshot.turns).toEqual([
      { state: "ended", firstEntry: 0, error: { message: "Overloaded", code: -32603 } },
    ]);
    expect(session.activity).toBe("idle");
  });

  test("has updates from before the session's response, and the mode that was set here", async () => {
    const { client } = await connect((peer) => {
      peer.handle("session/new", () => {
        update(peer, {
          sessionUpdate: "available_commands_update",
          availableCommands: [{ name: "a", description: "" }],
        });
        return { sessionId: "s", modes: { currentModeId: "ask", availableModes: [{ id: "code", name: "Code" }] } };
      });
    });
    const session = await client.newSession({ cwd: "/work" });
    await session.options.set("mode", "code");
    expect(session.transcript.snapshot).toMatchObject({ commands: [{ name: "a" }], modes: { currentModeId: "code" } });
  });

  test("a load replaces it by the history, which is marked; a load that fails leaves it unchanged", async () => {
    let fails = false;
    const { client } = await connect((peer) => {
      peer.handle("session/prompt", () => {
        update(peer, said("Hello"));
        return { stopReason: "end_turn" };
      });
      peer.handle("session/load", () => {
        update(peer, user("Hi"));
        if (fails) throw new RpcError(-32603, "Broken");
        update(peer, said("Hello"));
        return {};
      });
    });
    const session = await client.newSession({ cwd: "/work" });
    await session.prompt("Hi").result;
    await client.loadSession({ sessionId: "s", cwd: "/work" });
    expect(texts(session)).toEqual(["Hi", "Hello"]);
    expect(session.transcript.snapshot.entries.map(({ replayed }) => replayed)).toEqual([true, true]);
    const before = session.transcript.snapshot.entries;
    fails = true;
    await client.loadSession({ sessionId: "s", cwd: "/work" }).catch(() => {});
    expect(session.transcript.snapshot.entries).toEqual(before);
    expect(session.transcript.snapshot).not.toHaveProperty("replaying");
  });

  test("has the output of the client's terminals", async () => {
    const { client } = await connect(
      (peer) => {
        peer.handle("session/prompt", async () => {
          const { terminalId } = await peer.request("terminal/create", { sessionId: "s", command: "ls", args: ["-l"] });
          update(peer, {
            sessionUpdate: "tool_call",
            toolCallId: "t",
            title: "ls",
            content: [{ type: "terminal", terminalId }],
          });
          await peer.request("terminal/wait_for_exit", { sessionId: "s", terminalId });
          await peer.request("terminal/output", { sessionId: "s", terminalId });
          await peer.request("terminal/kill", { sessionId: "s", terminalId });
          await peer.request("terminal/release", { sessionId: "s", terminalId });
          return { stopReason: "end_turn" };
        });
      },
      {
        terminals: {
          createTerminal: () => ({ terminalId: "x" }),
          terminalOutput: () => ({ output: "a b", truncated: true, exitStatus: { exitCode: 0 } }),
          waitForTerminalExit: () => ({ exitCode: 0, signal: null }),
          killTerminal() {},
          releaseTerminal() {},
        },
      },
    );
    const session = await client.newSession({ cwd: "/work" });
    await session.prompt("Go").result;
    const { terminals, entries } = session.transcript.snapshot;
    expect((entries.at(-1) as ToolCallEntry).terminalIds).toEqual(["x"]);
    expect(terminals.x).toEqual({
      terminalId: "x",
      owner: "client",
      command: "ls -l",
      output: "a b",
      truncated: true,
      exit: { exitCode: 0 },
      released: true,
    });
  });

  test("a subscriber that throws only causes a diagnostic", async () => {
    const { client, diagnostics } = await connect((peer) => {
      peer.handle("session/prompt", () => {
        update(peer, said("A"));
        return { stopReason: "end_turn" };
      });
    });
    const session = await client.newSession({ cwd: "/work" });
    session.transcript.subscribe(() => {
      throw new Error("draw");
    });
    await session.prompt("Go").result;
    await client.peer.connection.request("fence", {});
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "handler_failed", cause: expect.objectContaining({ message: "draw" }) }),
    );
  });

  test("notifies when the client's schedule says", async () => {
    const due: (() => void)[] = [];
    const { client } = await connect(
      (peer) => {
        peer.handle("session/prompt", () => {
          for (const word of ["A", "B", "C"]) update(peer, said(word));
          return { stopReason: "end_turn" };
        });
      },
      { transcript: { schedule: (notify) => void due.push(notify) } },
    );
    const session = await client.newSession({ cwd: "/work" });
    let drawn = 0;
    session.transcript.subscribe(() => {
      drawn += 1;
    });
    await session.prompt("Go").result;
    expect(due).toHaveLength(1);
    for (const notify of due) notify();
    expect(drawn).toBe(1);
    expect((session.transcript.snapshot.entries.at(-1) as MessageEntry).text).toBe("ABC");
  });

  test("a schedule that throws is reported; the turn does not fail, and subscribers are notified", async () => {
    const diagnostics: Diagnostic[] = [];
    const { client } = await connect(
      (peer) => {
        peer.handle("session/prompt", () => {
          update(peer, said("A"));
          return { stopReason: "end_turn" };
        });
      },
      {
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
        transcript: {
          schedule: () => {
            throw new Error("no frame");
          },
        },
      },
    );
    const session = await client.newSession({ cwd: "/work" });
    const drawn: string[] = [];
    session.transcript.subscribe(() => drawn.push((session.transcript.snapshot.entries.at(-1) as MessageEntry).text));
    expect(await session.prompt("Go").result).toEqual({ stopReason: "end_turn" });
    expect(drawn.at(-1)).toBe("A");
    expect(diagnostics[0]).toMatchObject({ code: "handler_failed", cause: { message: "no frame" } });
  });

  test("has everything about how the session was opened, however late it is read", async () => {
    const { client } = await connect(() => {});
    const session = await client.newSession({ cwd: "/work" });
    expect(session.transcript.snapshot).toMatchObject({ sessionId: "s", modes: { currentModeId: "ask" }, entries: [] });
    expect(session.transcript.snapshot).toBe(session.transcript.snapshot);

    const other = await connect((agent) => {
      agent.handle("session/load", () => {
        update(agent, user("Hi"));
        return {};
      });
    });
    await other.client.newSession({ cwd: "/work" });
    const loaded = await other.client.loadSession({ sessionId: "s", cwd: "/work" });
    expect(texts(loaded)).toEqual(["Hi"]);
    expect(loaded.transcript.snapshot.modes?.currentModeId).toBe("ask"); // absent in the response to load, so it stays
  });

  test("throws when the client keeps none; activity works", async () => {
    const { client } = await connect(
      (peer) => {
        peer.handle("session/prompt", () => {
          update(peer, said("A"));
          return { stopReason: "end_turn" };
        });
      },
      { transcript: false },
    );
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("Go");
    expect(session.activity).toBe("running");
    await turn.result;
    expect(session.activity).toBe("idle");
    expect(() => session.transcript).toThrow(
      "This client keeps no transcripts: it was connected with `transcript: false`",
    );
  });
});
