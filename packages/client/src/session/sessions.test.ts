import { RpcError } from "@acp-kit/protocol";
import type { AgentCapabilities, SelectSessionConfigOption } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { type AgentPeer, chunk, scripted } from "../../test/scripted-agent.js";

const resume: AgentCapabilities = { sessionCapabilities: { resume: {} } };
const load: AgentCapabilities = { loadSession: true };
const notFound = (): never => {
  throw new RpcError(-32002, "Session not found");
};
const old = { cwd: "/", sessionId: "old" };

function replays(peer: AgentPeer, ...texts: string[]): void {
  peer.handle("session/load", ({ sessionId }) => {
    for (const text of texts) void peer.notify("session/update", { sessionId, update: chunk(text) });
    return {};
  });
}

describe("opening a saved session", () => {
  test.each([
    [{ ...resume, ...load }, "resumed", ["session/resume"]],
    [load, "loaded", ["session/load"]],
    [{}, "new", ["session/new"]],
  ])("%j: %s", async (agentCapabilities, origin, methods) => {
    const { connection, received } = await scripted({
      answer: { agentCapabilities },
      agent: (peer) => {
        peer.handle("session/resume", () => ({}));
        replays(peer);
      },
    });
    expect((await connection.openSession(old)).origin).toBe(origin);
    expect(received.slice(1).map(({ method }) => method)).toEqual(methods);
  });

  test.each([
    [{ ...resume, ...load }, ["session/load"]],
    [load, ["session/load"]],
    [resume, ["session/resume"]],
    [{}, ["session/new"]],
  ])('%j with prefer: "load": %s', async (agentCapabilities, methods) => {
    const { connection, received } = await scripted({
      answer: { agentCapabilities },
      agent: (peer) => {
        peer.handle("session/resume", () => ({}));
        replays(peer, "before");
      },
    });
    const session = await connection.openSession(old, { prefer: "load" });
    expect(received.slice(1).map(({ method }) => method)).toEqual(methods);
    const texts = session.transcript.snapshot.entries.map((entry) =>
      entry.type === "agent_message" ? entry.text : "",
    );
    expect(texts).toEqual(session.origin === "loaded" ? ["before"] : []);
  });

  test('with prefer: "load" a session that can\'t be loaded is resumed', async () => {
    const { connection, methods } = await scripted({
      answer: { agentCapabilities: { ...resume, ...load } },
      agent: (peer) => {
        peer.handle("session/resume", () => ({}));
        peer.handle("session/load", notFound);
      },
    });
    expect((await connection.openSession(old, { prefer: "load" })).origin).toBe("resumed");
    expect(methods().slice(1)).toEqual(["session/load", "session/resume"]);
  });

  test("a session that the agent no longer knows becomes a new session, with a diagnostic", async () => {
    const { connection, methods, diagnostics } = await scripted({
      answer: { agentCapabilities: { ...resume, ...load } },
      agent: (peer) => {
        peer.handle("session/resume", notFound);
        peer.handle("session/load", notFound);
      },
    });
    const session = await connection.openSession(old);
    expect(session).toMatchObject({ origin: "new", sessionId: "s1" });
    expect(methods().slice(1)).toEqual(["session/resume", "session/load", "session/new"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["session_not_found", "session_not_found"]);
  });

  test("another error rejects", async () => {
    const { connection, methods } = await scripted({
      answer: { agentCapabilities: load },
      agent: (peer) =>
        peer.handle("session/load", () => {
          throw new RpcError(-32603, "disk");
        }),
    });
    await expect(connection.openSession(old)).rejects.toMatchObject({ message: "disk" });
    expect(methods()).not.toContain("session/new");
  });

  test("two calls for the same session get the same object, opened once", async () => {
    const { connection, methods } = await scripted({
      answer: { agentCapabilities: resume },
      agent: (peer) => peer.handle("session/resume", () => ({})),
    });
    const [one, two] = await Promise.all([connection.openSession(old), connection.openSession(old)]);
    expect(one).toBe(two);
    expect(await connection.openSession(old)).toBe(one);
    expect(methods().filter((method) => method === "session/resume")).toHaveLength(1);
  });

  test("loading an open session delivers the history only to the new listener", async () => {
    const { connection, peer } = await scripted({
      answer: { agentCapabilities: load },
      agent: (peer) => replays(peer, "one", "two"),
    });
    const first: unknown[] = [];
    const second: unknown[] = [];
    const session = await connection.loadSession(old, { onUpdate: (update) => void first.push(update) });
    const again = await connection.loadSession(old, {
      onUpdate: (update, { replayed }) => void second.push([update, replayed]),
    });
    expect(again).toBe(session);
    expect(first).toEqual([chunk("one"), chunk("two")]);
    expect(second).toEqual([
      [chunk("one"), true],
      [chunk("two"), true],
    ]);
    void peer().notify("session/update", { sessionId: "old", update: chunk("live") });
    await vi.waitFor(() => expect(second.at(-1)).toEqual([chunk("live"), false]));
    expect(first.at(-1)).toEqual(chunk("live"));
  });
});

const select = (id: string, value: string, values: string[], category?: string): SelectSessionConfigOption => ({
  type: "select",
  id,
  name: id.toUpperCase(),
  currentValue: value,
  options: values.map((value) => ({ value, name: value })),
  ...(category !== undefined && { category }),
});
const modes = { currentModeId: "ask", availableModes: ["ask", "code"].map((id) => ({ id, name: id })) };
const models = { currentModelId: "auto", availableModels: [{ modelId: "auto", name: "Auto" }, { modelId: "pro" }] };

describe("session.options", () => {
  /** An agent with two options; the values of the second one depend on the first one. */
  function configurable(peer: AgentPeer): void {
    const values: Record<string, string> = { "the-model": "small", effort: "low" };
    const all = (): SelectSessionConfigOption[] => [
      select("the-model", values["the-model"] ?? "", ["small", "big"], "model"),
      ...(values["the-model"] === "big" ? [select("effort", values.effort ?? "", ["low", "high"])] : []),
    ];
    peer.handle("session/new", () => ({ sessionId: "s1", configOptions: all(), modes }));
    peer.handle("session/resume", () => ({ configOptions: all() }));
    peer.handle("session/prompt", () => ({ stopReason: "end_turn" }));
    peer.handle("session/set_config_option", ({ configId, value }) => {
      values[configId] = String(value);
      return { configOptions: all() };
    });
  }

  test("are set by id or category, and change together", async () => {
    const { connection, received } = await scripted({ agent: configurable });
    const { options } = await connection.newSession({ cwd: "/" });
    expect([...options].map(({ id, value }) => [id, value])).toEqual([["the-model", "small"]]);
    const seen: unknown[] = [];
    options.subscribe(() => seen.push(options.snapshot.length));
    await options.set("model", "big");
    expect(options.get("effort")).toMatchObject({ type: "select", value: "low", source: "config" });
    expect(options.byCategory("model")).toHaveLength(1);
    expect(seen).toEqual([2]);
    expect(received.at(-1)).toEqual({
      method: "session/set_config_option",
      params: { sessionId: "s1", configId: "the-model", value: "big" },
    });
    expect(options.chosen).toEqual({ "the-model": "big" });
  });

  test("CFG-13 a value that is not offered is not sent, and the error lists those that are", async () => {
    const { connection, methods } = await scripted({ agent: configurable });
    const { options } = await connection.newSession({ cwd: "/" });
    await expect(options.set("model", "huge")).rejects.toThrow('no value "huge"; its values are small, big');
    await expect(options.set("colour", "red")).rejects.toThrow("its options are the-model");
    expect(methods()).toEqual(["initialize", "session/new"]);
  });

  test("CFG-22/23 modes are one of them where there are no config options", async () => {
    const agent = (peer: AgentPeer): void => {
      peer.handle("session/new", () => ({ sessionId: "s1", modes }));
      peer.handle("session/set_mode", () => ({}));
    };
    const { connection, received, peer } = await scripted({ agent });
    const session = await connection.newSession({ cwd: "/" });
    await session.options.set("mode", "code");
    expect(received.at(-1)).toEqual({ method: "session/set_mode", params: { sessionId: "s1", modeId: "code" } });
    expect(session.transcript.snapshot.modes?.currentModeId).toBe("code");
    const update = { sessionUpdate: "current_mode_update" as const, currentModeId: "ask" };
    void peer().notify("session/update", { sessionId: "s1", update });
    await vi.waitFor(() => expect(session.options.get("mode")).toMatchObject({ value: "ask", source: "modes" }));
  });

  test("so are the models of older agents, beside or instead of the others", async () => {
    const agent = (peer: AgentPeer): void => {
      peer.connection.onRequest("session/new", () => ({ sessionId: "s1", modes, models }));
      peer.connection.onRequest("session/set_model", () => ({}));
    };
    const { connection, received } = await scripted({ agent });
    const { options } = await connection.newSession({ cwd: "/" });
    expect([...options].map(({ id, source }) => [id, source])).toEqual([
      ["mode", "modes"],
      ["model", "models"],
    ]);
    await options.set("model", "pro");
    expect(received.at(-1)).toEqual({ method: "session/set_model", params: { sessionId: "s1", modelId: "pro" } });
    expect(options.get("model")?.value).toBe("pro");
  });

  test("CFG-03/11/14 groups are choices with a heading, booleans are booleans, unknown kinds are left out", async () => {
    const agent = (peer: AgentPeer): void => {
      const configOptions = [
        { ...select("m", "x", []), options: [{ group: "g", name: "Group", options: [{ value: "a", name: "A" }] }] },
        { type: "boolean", id: "loud", name: "Loud", currentValue: false },
        { type: "slider", id: "s", name: "Slider", currentValue: 3 },
      ];
      peer.connection.onRequest("session/new", () => ({ sessionId: "s1", configOptions }));
      peer.connection.onRequest("session/set_config_option", () => ({ configOptions }));
    };
    const { connection, received } = await scripted({ agent });
    const { options, transcript } = await connection.newSession({ cwd: "/" });
    expect(options.snapshot).toMatchObject([
      { id: "m", value: "x", choices: [{ value: "a", group: "Group" }] },
      { id: "loud", type: "boolean", value: false },
    ]);
    expect(transcript.snapshot.configOptions).toHaveLength(3);
    await options.set("loud", true);
    expect(received.at(-1)?.params).toMatchObject({ configId: "loud", type: "boolean", value: true });
    await expect(options.set("loud", "yes")).rejects.toThrow("true or false");
  });

  test("stored values are set when the session is opened; those that are not offered any more are skipped, with a diagnostic", async () => {
    const { connection, diagnostics } = await scripted({ agent: configurable });
    const options = { "the-model": "big", effort: "high", theme: "dark" };
    const session = await connection.newSession({ cwd: "/" }, { options });
    expect(session.options.get("effort")?.value).toBe("high");
    expect(session.options.chosen).toEqual({ "the-model": "big", effort: "high" });
    expect(diagnostics).toMatchObject([{ code: "option_not_applied", data: { id: "theme" } }]);
  });

  test.each([[true], [false]])(
    "are set again after the agent was restarted, if asked for: %s",
    async (reapplyOptions) => {
      const { connection, die, methods } = await scripted({
        restarts: true,
        reapplyOptions,
        answer: { agentCapabilities: resume },
        agent: configurable,
      });
      const session = await connection.newSession({ cwd: "/" });
      await session.options.set("model", "big");
      await session.options.set("effort", "high");
      die();
      await vi.waitFor(() => expect(connection.state).toBe("disconnected"));
      await session.prompt("go").result;
      expect(session.options.get("model")?.value).toBe(reapplyOptions ? "big" : "small");
      expect(session.options.get("effort")?.value).toBe(reapplyOptions ? "high" : undefined);
      const after = methods().slice(methods().lastIndexOf("initialize"));
      const again = reapplyOptions ? ["session/set_config_option", "session/set_config_option"] : [];
      expect(after).toEqual(["initialize", "session/resume", ...again, "session/prompt"]);
    },
  );
});

describe("queued prompts", () => {
  function slow(): { agent: (peer: AgentPeer) => void; finish: (() => void)[]; prompts: unknown[] } {
    const finish: (() => void)[] = [];
    const prompts: unknown[] = [];
    const agent = (peer: AgentPeer): void =>
      peer.handle("session/prompt", ({ prompt }) => {
        prompts.push(prompt);
        return new Promise((resolve) => finish.push(() => resolve({ stopReason: "end_turn" })));
      });
    return { agent, finish, prompts };
  }

  test("have a state, and can be removed while they are queued", async () => {
    const { agent, finish, prompts } = slow();
    const { connection, methods } = await scripted({ agent });
    const session = await connection.newSession({ cwd: "/" });
    const seen: string[] = [];
    const stop = session.onQueueChange(() => seen.push(session.queue.map(({ state }) => state).join(" ")));
    const [first, second, third] = [session.prompt("one"), session.prompt("two"), session.prompt("three")];
    expect([first, second, third].map(({ state }) => state)).toEqual(["running", "queued", "queued"]);
    expect(session.queue).toEqual([first, second, third]);
    expect(second?.prompt).toEqual([{ type: "text", text: "two" }]);
    expect(second?.remove()).toBe(true);
    expect(second?.remove()).toBe(false);
    expect(first?.remove()).toBe(false);
    expect(await second?.result).toEqual({ stopReason: "cancelled" });
    await vi.waitFor(() => expect(finish).toHaveLength(1));
    finish[0]?.();
    await first?.result;
    await vi.waitFor(() => expect(finish).toHaveLength(2));
    expect(third?.state).toBe("running");
    finish[1]?.();
    await third?.result;
    await vi.waitFor(() => expect(session.queue).toEqual([]));
    expect(third?.state).toBe("settled");
    expect(prompts).toHaveLength(2);
    expect(methods()).not.toContain("session/cancel");
    expect(seen).toEqual(["running", "running queued", "running queued queued", "running queued", "running", ""]);
    stop();
    session.prompt("four");
    expect(seen).toHaveLength(6);
    expect(session.queue.map(({ state }) => state)).toEqual(["running"]);
  });

  test("steer sends a message into the running turn if the agent supports it", async () => {
    const { agent, finish } = slow();
    const { connection, received } = await scripted({
      answer: { _meta: { steering: { supported: true } } },
      agent: (peer) => {
        agent(peer);
        peer.connection.onRequest("_session/steering", () => ({ outcome: "injected" }));
      },
    });
    const session = await connection.newSession({ cwd: "/" });
    expect(await session.steer("too early")).toBe("no_turn");
    const turn = session.prompt("go");
    expect(await session.steer("left, not right")).toBe("injected");
    expect(received.at(-1)).toEqual({
      method: "_session/steering",
      params: {
        sessionId: "s1",
        prompt: [{ type: "text", text: "left, not right" }],
        _meta: { steering: { idleBehavior: "promptRequired" } },
      },
    });
    finish[0]?.();
    await turn.result;
  });

  test("steer rejects with the capability if the agent doesn't", async () => {
    const { connection, methods } = await scripted({ agent: slow().agent });
    const session = await connection.newSession({ cwd: "/" });
    session.prompt("go");
    await expect(session.steer("left")).rejects.toMatchObject({
      name: "CapabilityError",
      capability: "_meta.steering.supported",
    });
    expect(methods()).not.toContain("_session/steering");
  });
});

describe("permissions of a session", () => {
  const ask = {
    sessionId: "s1",
    toolCall: { toolCallId: "t" },
    options: [{ optionId: "y", name: "Yes", kind: "allow_once" as const }],
  };

  test("PERM-09 a rule receives the call with its members from earlier updates", async () => {
    const seen: unknown[] = [];
    const { connection, peer } = await scripted({
      permissions: async ({ toolCall }) => void seen.push(toolCall),
    });
    await connection.newSession({ cwd: "/" });
    const call = { toolCallId: "t", title: "Edit a.ts", kind: "edit" as const, locations: [{ path: "/a.ts" }] };
    void peer().notify("session/update", { sessionId: "s1", update: { sessionUpdate: "tool_call", ...call } });
    const update = { sessionUpdate: "tool_call_update" as const, toolCallId: "t", status: "pending" as const };
    void peer().notify("session/update", { sessionId: "s1", update });
    await peer().request("session/request_permission", { ...ask, toolCall: { toolCallId: "t", title: "Edit it" } });
    expect(seen).toEqual([{ ...call, title: "Edit it", status: "pending" }]);
  });

  test("a pending request is cancelled when the turn ends or the session is closed, and the trail has the reason", async () => {
    let answer: (() => void) | undefined;
    const { connection, peer } = await scripted({
      permissions: () => new Promise(() => {}),
      agent: (peer) =>
        peer.handle("session/prompt", () => {
          return new Promise((resolve) => {
            answer = () => resolve({ stopReason: "end_turn" });
          });
        }),
    });
    const session = await connection.newSession({ cwd: "/" });
    const turn = session.prompt("go");
    await vi.waitFor(() => expect(answer).toBeDefined());
    const first = peer().request("session/request_permission", ask);
    await peer()
      .connection.request("fence", {})
      .catch(() => {});
    answer?.();
    await turn.result;
    expect(await first).toEqual({ outcome: { outcome: "cancelled" } });
    const second = peer().request("session/request_permission", ask);
    await peer()
      .connection.request("fence", {})
      .catch(() => {});
    await session.close();
    expect(await second).toEqual({ outcome: { outcome: "cancelled" } });
    expect(connection.permissionDecisions.map(({ by }) => by)).toEqual([
      { type: "none", reason: "turn_ended" },
      { type: "none", reason: "session_closed" },
    ]);
  });
});

describe("await using session", () => {
  const closes: AgentCapabilities = { sessionCapabilities: { close: {} } };

  test("closes it at the end of the block", async () => {
    const { connection, methods } = await scripted({
      answer: { agentCapabilities: closes },
      agent: (peer) => peer.handle("session/close", () => ({})),
    });
    {
      await using session = await connection.newSession({ cwd: "/" });
      expect(session.closed).toBe(false);
    }
    expect(methods().at(-1)).toBe("session/close");
    expect(connection.sessions).toEqual([]);
  });

  test("rejects with the agent's error, and ends without an error when the agent died meanwhile", async () => {
    const refused = await scripted({
      answer: { agentCapabilities: closes },
      agent: (peer) =>
        peer.handle("session/close", () => {
          throw new RpcError(-32603, "disk");
        }),
    });
    await expect((await refused.connection.newSession({ cwd: "/" })).close()).rejects.toThrow("disk");
    const dead = await scripted({
      answer: { agentCapabilities: closes },
      agent: (peer) =>
        peer.handle("session/close", () => {
          dead.die();
          return new Promise(() => {});
        }),
    });
    {
      await using session = await dead.connection.newSession({ cwd: "/" });
      expect(session.closed).toBe(false);
    }
    expect(dead.connection.state).toBe("closed");
  });
});
