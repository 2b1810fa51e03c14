import type { ClientCapabilities, CreateTerminalRequest } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { type ClientPeer, prompt, withSession } from "../test/connect.js";
import { clientEnvironment, type ToolEnvironment, toolEnvironment } from "./tool-environment.js";
import type { Turn } from "./turn.js";

/** An environment that only records its calls. */
function recordingEnvironment(): ToolEnvironment & { readonly requested: string[] } {
  const requested: string[] = [];
  return {
    requested,
    readTextFile: async (path) => {
      requested.push(`read ${path}`);
      return "local";
    },
    writeTextFile: async (path) => void requested.push(`write ${path}`),
    run: async ({ command }) => {
      requested.push(`run ${command}`);
      return { output: "local", truncated: false, exitCode: 0, signal: null, timedOut: false };
    },
  };
}

const useAll = async (environment: ToolEnvironment): Promise<string> => {
  await environment.writeTextFile("/a", "x");
  const { output } = await environment.run({ command: "ls" });
  return `${await environment.readTextFile("/a")} ${output}`;
};

/** A client whose terminals exit when the test says so, or are killed. */
function terminals(
  peer: ClientPeer,
  log: string[],
): { readonly created: CreateTerminalRequest[]; exit(code: number): void } {
  const created: CreateTerminalRequest[] = [];
  let ended = (_: { exitCode: number | null; signal: string | null }): void => {};
  const end = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    ended = resolve;
  });
  peer.handle("terminal/create", (params) => {
    created.push(params as CreateTerminalRequest);
    return { terminalId: "t1" };
  });
  peer.handle("terminal/wait_for_exit", () => end);
  peer.handle("terminal/output", async () => ({ output: "remote", truncated: true, exitStatus: await end }));
  peer.handle("terminal/kill", () => {
    log.push("kill");
    ended({ exitCode: null, signal: "SIGTERM" });
    return {};
  });
  peer.handle("terminal/release", () => {
    log.push("release");
    return {};
  });
  return { created, exit: (exitCode) => ended({ exitCode, signal: null }) };
}

async function play(
  capabilities: ClientCapabilities,
  handler: (turn: Turn) => Promise<unknown>,
  client: (peer: ClientPeer) => void = () => {},
): Promise<{ results: unknown[]; sent: string[] }> {
  const results: unknown[] = [];
  const { peer, sent } = await withSession({
    capabilities,
    client,
    definition: {
      prompt: async (turn) => {
        results.push(await handler(turn).catch((error: unknown) => error));
      },
    },
  });
  await prompt(peer);
  return { results, sent };
}

describe("the environment of a session's tools", () => {
  test("is local if the client advertises nothing", async () => {
    const local = recordingEnvironment();
    const { results, sent } = await play({}, (turn) => useAll(toolEnvironment(turn.client, { local })));
    expect(results).toEqual(["local local"]);
    expect(local.requested).toEqual(["write /a", "run ls", "read /a"]);
    expect(sent).toHaveLength(1);
  });

  test("is the client's for each capability that it advertises", async () => {
    const local = recordingEnvironment();
    const { results, sent } = await play(
      { fs: { readTextFile: true } },
      (turn) => useAll(toolEnvironment(turn.client, { local })),
      (peer) => peer.handle("fs/read_text_file", () => ({ content: "remote" })),
    );
    expect(results).toEqual(["remote local"]);
    expect(local.requested).toEqual(["write /a", "run ls"]);
    expect(sent[0]).toBe("fs/read_text_file");
  });

  test("is local with owner agent", async () => {
    const local = recordingEnvironment();
    const owner = "agent";
    const { results, sent } = await play({ fs: { readTextFile: true, writeTextFile: true }, terminal: true }, (turn) =>
      useAll(toolEnvironment(turn.client, { local, owner })),
    );
    expect(results).toEqual(["local local"]);
    expect(sent).toHaveLength(1);
  });
});

describe("a command in the client's terminal", () => {
  test("TERM-01 is shown in its tool call, resolves with its output, and is released", async () => {
    const log: string[] = [];
    let shell: ReturnType<typeof terminals> | undefined;
    const { results, sent } = await play(
      { terminal: true },
      async (turn) => {
        const toolCall = turn.toolCall({ title: "npm test", kind: "execute" });
        const environment = toolEnvironment(turn.client, { local: recordingEnvironment() });
        const running = environment.run({ command: "npm", args: ["test"], cwd: "/work", env: { CI: "1" }, toolCall });
        shell?.exit(1);
        const result = await running;
        await toolCall.complete();
        return result;
      },
      (peer) => {
        shell = terminals(peer, log);
      },
    );
    expect(results).toEqual([{ output: "remote", truncated: true, exitCode: 1, signal: null, timedOut: false }]);
    expect(shell?.created).toEqual([
      { sessionId: "s1", command: "npm", args: ["test"], cwd: "/work", env: [{ name: "CI", value: "1" }] },
    ]);
    expect(log).toEqual(["release"]);
    expect(sent.slice(0, 3)).toEqual(["update:tool_call", "terminal/create", "update:tool_call_update"]);
  });

  test("is killed when it takes too long; its output is returned", async () => {
    vi.useFakeTimers();
    const log: string[] = [];
    const played = play(
      { terminal: true },
      (turn) =>
        toolEnvironment(turn.client, { local: recordingEnvironment() }).run({ command: "sleep", timeoutMs: 5_000 }),
      (peer) => void terminals(peer, log),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await played).results).toEqual([
      { output: "remote", truncated: true, exitCode: null, signal: "SIGTERM", timedOut: true },
    ]);
    expect(log).toEqual(["kill", "release"]);
  });

  test("is released when its signal aborts after the time limit, if the client never reports the exit", async () => {
    const log: string[] = [];
    const abort = new AbortController();
    const { results } = await play(
      { terminal: true },
      (turn) => clientEnvironment(turn.client).run({ command: "sleep", timeoutMs: 0, signal: abort.signal }),
      (peer) => {
        terminals(peer, log);
        peer.handle("terminal/kill", () => {
          setTimeout(() => abort.abort(new Error("enough")), 0);
          return {};
        });
      },
    );
    expect(results).toEqual([new Error("enough")]);
    expect(log).toEqual(["release"]);
  });

  test("is released when its signal aborts", async () => {
    const log: string[] = [];
    const abort = new AbortController();
    const { results } = await play(
      { terminal: true },
      (turn) => {
        const run = toolEnvironment(turn.client, { local: recordingEnvironment() }).run({
          command: "sleep",
          signal: abort.signal,
        });
        setTimeout(() => abort.abort(new Error("enough")), 0);
        return run;
      },
      (peer) => void terminals(peer, log),
    );
    expect(results).toEqual([new Error("enough")]);
    expect(log).toEqual(["release"]);
  });
});
