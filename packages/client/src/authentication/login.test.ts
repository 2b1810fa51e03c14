import { RpcError } from "@acp-kit/protocol";
import type { InitializeResponse, SessionUpdate } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { type AgentPeer, chunk, scripted } from "../../test/scripted-agent.js";
import { AuthRequiredError, isAuthRequired } from "./auth-required-error.js";
import type { LoginMethod } from "./login-method.js";

const authMethods = [
  { id: "browser", name: "In the browser", description: "Opens a page" },
  { type: "terminal", id: "tui", name: "In a terminal", args: ["login"], env: { A: "1" } },
  { type: "env_var", id: "key", name: "A key", vars: [{ name: "API_KEY" }], link: "https://example.com" },
  { type: "env_var", id: "old-key", name: "A key", varName: "OLD_KEY" },
  { type: "passkey", id: "pk", name: "A passkey", challenge: "x" },
  { type: "passkey", name: "without an id" },
] as unknown as InitializeResponse["authMethods"] & object;

const refuse = (): never => {
  throw new RpcError(-32000, "Authentication required");
};

/** An agent that refuses until the user has logged in. */
function guarded(): { agent: (peer: AgentPeer) => void; state: { isLoggedIn: boolean } } {
  const state = { isLoggedIn: false };
  return {
    state,
    agent(peer) {
      peer.handle("session/new", () => (state.isLoggedIn ? { sessionId: "s1" } : refuse()));
      peer.handle("session/prompt", () => (state.isLoggedIn ? { stopReason: "end_turn" } : refuse()));
      peer.handle("authenticate", () => {
        state.isLoggedIn = true;
        return {};
      });
      peer.handle("logout", () => {
        state.isLoggedIn = false;
        return {};
      });
    },
  };
}

const choose = (id: string) => vi.fn(async (methods: readonly LoginMethod[]) => methods.find((one) => one.id === id));

describe("login methods", () => {
  test("AUTH-01/02/20 every kind has an id and a name, and the entry as the agent sent it", async () => {
    const { connection } = await scripted({ answer: { authMethods } });
    const base = { description: undefined };
    expect(connection.authMethods.map(({ wire: _, ...method }) => method)).toEqual([
      { kind: "agent", id: "browser", name: "In the browser", description: "Opens a page" },
      { kind: "terminal", id: "tui", name: "In a terminal", ...base, args: ["login"], env: { A: "1" } },
      {
        kind: "env_var",
        id: "key",
        name: "A key",
        ...base,
        variables: [{ name: "API_KEY", label: "API_KEY", secret: true, optional: false }],
        link: "https://example.com",
      },
      {
        kind: "env_var",
        id: "old-key",
        name: "A key",
        ...base,
        variables: [{ name: "OLD_KEY", label: "OLD_KEY", secret: true, optional: false }],
        link: undefined,
      },
      { kind: "unknown", id: "pk", name: "A passkey", ...base, type: "passkey" },
    ]);
    expect(connection.authMethods.at(-1)?.wire).toMatchObject({ challenge: "x" });
  });

  test("AUTH-15/CAP-19 terminals are advertised if there is a handler for them", async () => {
    const { received } = await scripted({ login: { choose: choose("tui"), terminal: async () => true } });
    expect(received[0]?.params).toMatchObject({ clientCapabilities: { auth: { terminal: true } } });
  });
});

describe("AUTH-08 a call that needs a login", () => {
  test("rejects with the login methods, without handlers", async () => {
    const { connection } = await scripted({ answer: { authMethods }, agent: guarded().agent });
    const error: unknown = await connection.newSession({ cwd: "/" }).catch((error: unknown) => error);
    expect(isAuthRequired(error)).toBe(true);
    expect(error).toBeInstanceOf(AuthRequiredError);
    expect((error as AuthRequiredError).methods.map(({ id }) => id)).toContain("browser");
  });

  test("is repeated after the login, which offers the methods with a handler", async () => {
    const chosen = choose("browser");
    const { connection, methods } = await scripted({
      answer: { authMethods },
      agent: guarded().agent,
      login: { choose: chosen },
    });
    expect((await connection.newSession({ cwd: "/" })).sessionId).toBe("s1");
    expect(methods()).toEqual(["initialize", "session/new", "authenticate", "session/new"]);
    expect(chosen.mock.calls[0]?.[0].map(({ id }) => id)).toEqual(["browser"]);
  });

  test("is repeated only once", async () => {
    const chosen = choose("browser");
    const { connection, methods } = await scripted({
      answer: { authMethods },
      login: { choose: chosen },
      agent: (peer) => {
        peer.handle("session/new", refuse);
        peer.handle("authenticate", () => ({}));
      },
    });
    await expect(connection.newSession({ cwd: "/" })).rejects.toThrow(AuthRequiredError);
    expect(methods().filter((method) => method === "session/new")).toHaveLength(2);
    expect(chosen).toHaveBeenCalledOnce();
  });

  test("shares one login with all calls that need it", async () => {
    const chosen = choose("browser");
    const { connection } = await scripted({
      answer: { authMethods },
      agent: guarded().agent,
      login: { choose: chosen },
    });
    await Promise.all([connection.newSession({ cwd: "/" }), connection.newSession({ cwd: "/b" })]);
    expect(chosen).toHaveBeenCalledOnce();
  });

  test("rejects when the user declines, and, with the reason, when the login fails", async () => {
    const { connection } = await scripted({
      answer: { authMethods },
      agent: (peer) => {
        peer.handle("session/new", refuse);
        peer.handle("authenticate", () => {
          throw new RpcError(-32603, "no network");
        });
      },
      login: { choose: vi.fn(choose("browser")).mockResolvedValueOnce(undefined) },
    });
    await expect(connection.newSession({ cwd: "/" })).rejects.toThrow(AuthRequiredError);
    await expect(connection.newSession({ cwd: "/" })).rejects.toMatchObject({ cause: { message: "no network" } });
  });

  test("AUTH-19 a prompt is sent again, in the same turn", async () => {
    const { agent, state } = guarded();
    state.isLoggedIn = true;
    const { connection, methods } = await scripted({
      answer: { authMethods, agentCapabilities: { auth: { logout: {} } } },
      agent,
      login: { choose: choose("browser") },
    });
    const session = await connection.newSession({ cwd: "/" });
    await connection.logout();
    const turn = session.prompt("go");
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
    expect(methods().slice(-3)).toEqual(["session/prompt", "authenticate", "session/prompt"]);
    for await (const _update of turn) throw new Error("there are none");
    const { entries, turns } = session.transcript.snapshot;
    expect(entries).toMatchObject([{ type: "user_message", text: "go" }]);
    expect(turns).toEqual([{ state: "ended", firstEntry: 0, stopReason: "end_turn" }]);
  });

  const toolCall = { sessionUpdate: "tool_call", toolCallId: "t", title: "rm", status: "completed" } as const;
  test.each([
    ["a tool call", (peer: AgentPeer) => peer.notify("session/update", { sessionId: "s1", update: toolCall })],
    ["a text", (peer: AgentPeer) => peer.notify("session/update", { sessionId: "s1", update: chunk("Working") })],
    [
      "a file that it has written",
      (peer: AgentPeer) => peer.request("fs/write_text_file", { sessionId: "s1", path: "/a", content: "a" }),
    ],
  ])(
    "login.never-repeats-work: a prompt is not sent again if the agent asks for the login after %s",
    async (_, work) => {
      const pick = choose("browser");
      const { connection, methods } = await scripted({
        answer: { authMethods },
        agent: (peer) =>
          peer.handle("session/prompt", async () => {
            await work(peer);
            return refuse();
          }),
        login: { choose: pick },
        files: { writeTextFile: async () => ({}) },
      });
      const session = await connection.newSession({ cwd: "/" });
      const error: unknown = await session.prompt("go").result.catch((error: unknown) => error);
      expect(isAuthRequired(error) && error.methods).toHaveLength(5);
      expect(methods().filter((method) => method === "session/prompt")).toHaveLength(1);
      expect(pick).not.toHaveBeenCalled();
    },
  );

  test("login.never-repeats-work: a prompt is sent again although the agent has sent its commands and an echo of the prompt", async () => {
    const { agent, state } = guarded();
    const { connection, methods } = await scripted({
      answer: { authMethods },
      agent: (peer) => {
        agent(peer);
        peer.handle("session/new", () => ({ sessionId: "s1" }));
        peer.handle("session/prompt", async () => {
          const update = (update: SessionUpdate) => peer.notify("session/update", { sessionId: "s1", update });
          await update({ sessionUpdate: "available_commands_update", availableCommands: [] });
          await update({ ...chunk("go"), sessionUpdate: "user_message_chunk" } as SessionUpdate);
          return state.isLoggedIn ? { stopReason: "end_turn" } : refuse();
        });
      },
      login: { choose: choose("browser") },
    });
    const session = await connection.newSession({ cwd: "/" });
    expect(await session.prompt("go").result).toEqual({ stopReason: "end_turn" });
    expect(methods().filter((method) => method === "session/prompt")).toHaveLength(2);
  });

  test("a turn that is cancelled during the login is not sent again", async () => {
    const { agent, state } = guarded();
    state.isLoggedIn = true;
    let isAsked = (): void => {};
    const requested = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    let decide: (method: LoginMethod | undefined) => void = () => {};
    const { connection, methods } = await scripted({
      answer: { authMethods, agentCapabilities: { auth: { logout: {} } } },
      agent,
      login: {
        choose: () => {
          isAsked();
          return new Promise((resolve) => {
            decide = resolve;
          });
        },
      },
    });
    const session = await connection.newSession({ cwd: "/" });
    await connection.logout();
    const turn = session.prompt("go");
    await requested;
    turn.cancel();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
    decide(connection.authMethods[0]);
    await vi.waitFor(() => expect(methods()).toContain("authenticate"));
    expect(await session.prompt("again").result).toEqual({ stopReason: "end_turn" });
    expect(methods().filter((method) => method === "session/prompt")).toHaveLength(2);
    expect(methods()).not.toContain("session/cancel");
  });

  /** A user who is prompted, and who answers when the test says so. */
  const slowUser = () => {
    const requested: ((method: LoginMethod | undefined) => void)[] = [];
    const choose = (): Promise<LoginMethod | undefined> => new Promise((resolve) => requested.push(resolve));
    return { requested, choose };
  };

  test("turn.cancel-is-never-lost: a login that ends after its turn was cancelled leaves the next turn alone: that can be cancelled while its session is opened again", async () => {
    const { requested, choose } = slowUser();
    const resumed: (() => void)[] = [];
    const { connection, methods, die } = await scripted({
      restarts: true,
      answer: { authMethods, agentCapabilities: { sessionCapabilities: { resume: {} } } },
      agent: (peer, life) => {
        peer.handle("authenticate", () => ({}));
        peer.handle("session/resume", () => new Promise((resolve) => resumed.push(() => resolve({}))));
        peer.handle("session/prompt", () => {
          if (life === 1) throw new RpcError(-32000, "Authentication required");
          return { stopReason: "end_turn" };
        });
      },
      login: { choose },
    });
    const session = await connection.newSession({ cwd: "/" });
    const first = session.prompt("first");
    const second = session.prompt("second");
    await vi.waitFor(() => expect(requested).toHaveLength(1));
    die();
    await vi.waitFor(() => expect(connection.state).toBe("disconnected"));
    first.cancel();
    expect(await first.result).toEqual({ stopReason: "cancelled" });
    await vi.waitFor(() => expect(resumed).toHaveLength(1)); // the second one waits for its session
    requested[0]?.(connection.authMethods[0]);
    await vi.waitFor(() => expect(methods()).toContain("authenticate"));
    await connection.login(connection.authMethods[0]); // what the first login led to has been done by now
    second.cancel();
    expect(await second.result).toEqual({ stopReason: "cancelled" });
    resumed[0]?.();
    await vi.waitFor(() => expect(session.queue).toEqual([]));
    expect(methods().filter((method) => method === "session/prompt")).toHaveLength(1);
  });

  test("a turn that was cancelled no longer needs a login", async () => {
    const { requested, choose } = slowUser();
    let refuse = (): void => {};
    const { connection, methods } = await scripted({
      answer: { authMethods },
      agent: (peer) =>
        peer.handle(
          "session/prompt",
          () =>
            new Promise((_, reject) => {
              refuse = () => reject(new RpcError(-32000, "Authentication required"));
            }),
        ),
      login: { choose },
    });
    const session = await connection.newSession({ cwd: "/" });
    const turn = session.prompt("go");
    await vi.waitFor(() => expect(methods()).toContain("session/prompt"));
    turn.cancel();
    await vi.waitFor(() => expect(methods()).toContain("session/cancel"));
    refuse();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
    expect(requested).toEqual([]);
  });
});

describe("logging in", () => {
  test("AUTH-05/09/12 in a terminal: the agent is started again, without authenticate", async () => {
    const { agent, state } = guarded();
    const { connection, methods } = await scripted({
      restarts: true,
      answer: { authMethods },
      agent,
      login: {
        choose: choose("tui"),
        terminal: async ({ args, env }) => {
          expect({ args, env }).toEqual({ args: ["login"], env: { A: "1" } });
          state.isLoggedIn = true;
          return true;
        },
      },
    });
    await connection.newSession({ cwd: "/" });
    expect(methods()).toEqual(["initialize", "session/new", "initialize", "session/new"]);
  });

  test("AUTH-11 a terminal command that fails does not log in", async () => {
    const { connection, methods } = await scripted({
      restarts: true,
      answer: { authMethods },
      agent: guarded().agent,
      login: { choose: choose("tui"), terminal: async () => false },
    });
    await expect(connection.newSession({ cwd: "/" })).rejects.toThrow(AuthRequiredError);
    expect(methods()).toEqual(["initialize", "session/new"]);
  });

  test("by a variable: the agent is started again, then authenticate is sent, which the agent may not have", async () => {
    const { agent, state } = guarded();
    const { connection, methods } = await scripted({
      restarts: true,
      answer: { authMethods },
      agent: (peer) => {
        agent(peer);
        peer.handle("authenticate", () => {
          throw new RpcError(-32602, "unknown method");
        });
      },
      login: {
        choose: choose("key"),
        environment: async ({ variables }) => {
          expect(variables.map(({ name }) => name)).toEqual(["API_KEY"]);
          state.isLoggedIn = true;
          return true;
        },
      },
    });
    await connection.newSession({ cwd: "/" });
    expect(methods()).toEqual(["initialize", "session/new", "initialize", "authenticate", "session/new"]);
  });

  test("by a kind that the library doesn't know", async () => {
    const { connection } = await scripted({
      answer: { authMethods },
      login: { choose: choose("pk"), unknown: async ({ type, wire }) => type === "passkey" && wire.challenge === "x" },
    });
    expect(await connection.login()).toBe(true);
  });

  test("by a kind without a handler throws, and names the missing handler", async () => {
    const { connection } = await scripted({ answer: { authMethods } });
    const terminal = connection.authMethods.find(({ kind }) => kind === "terminal");
    await expect(connection.login(terminal)).rejects.toThrow("pass login.terminal to connectAgent");
    expect(await connection.login()).toBe(false);
  });
});
