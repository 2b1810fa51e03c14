import { linkedTransports, type Transport } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import { connectAgent } from "./connect-agent.js";
import type { Session } from "./session/session.js";

/** A transport that records when it is closed. */
function transport(): { readonly transport: Transport; readonly closed: Promise<unknown> } {
  const [theirs, ours] = linkedTransports();
  const closed = new Promise<void>((resolve) => {
    theirs.start({ message() {}, malformed() {}, ended: resolve, failed: () => resolve() });
  });
  return { transport: ours, closed };
}

const connect = connectAgent as (agent: unknown, options?: unknown) => Promise<unknown>;
const terminals = {
  createTerminal() {},
  terminalOutput() {},
  waitForTerminalExit() {},
  killTerminal() {},
  releaseTerminal() {},
};

describe("sessions in plain JavaScript", () => {
  const openings = async () => {
    const [theirs, ours] = linkedTransports();
    const connecting = connectAgent(ours);
    theirs.start({
      message: (message) => {
        const { id } = message as { id: number };
        void theirs.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, sessionId: "s" } } as never);
      },
      malformed() {},
      ended() {},
      failed() {},
    });
    return connecting as Promise<unknown> as Promise<Record<string, (...args: unknown[]) => Promise<Session>>>;
  };

  test.each([
    ["newSession", [{}], '"cwd" is missing'],
    ["newSession", [{ cwd: "/w", mcpServer: [] }], '"mcpServer" is unknown; did you mean "mcpServers"?'],
    ["newSession", [{ cwd: "/w" }, { onupdate() {} }], '"onupdate" is unknown; did you mean "onUpdate"?'],
    ["loadSession", [{ cwd: "/w" }], '"sessionId" is missing'],
    ["resumeSession", [{ cwd: "/w", sessionid: "s" }], '"sessionid" is unknown; did you mean "sessionId"?'],
    [
      "openSession",
      [{ cwd: "/w" }, { prefer: "laod" }],
      '"prefer" must be "resume" or "load", not "laod"; did you mean "load"?',
    ],
  ])("%s(%j) is rejected", async (method, args, problem) => {
    const agent = await openings();
    await expect(agent[method]?.(...args)).rejects.toMatchObject({
      name: "InvalidOptionError",
      message: `${method}: the option ${problem}`,
    });
  });

  test("a misspelt option of a prompt rejects its result", async () => {
    const session = await (await openings()).newSession?.({ cwd: "/w" });
    const turn = session?.prompt("hi", { idleTimeout: 1 } as never);
    await expect(turn?.result).rejects.toThrow(
      'prompt: the option "idleTimeout" is unknown; did you mean "idleTimeoutMs"?',
    );
  });
});

describe("connectAgent in plain JavaScript", () => {
  test.each([
    [{ permission: [] }, '"permission" is unknown; did you mean "permissions"?'],
    [{ permision: [] }, '"permision" is unknown; did you mean "permissions"?'],
    [{ onMessage() {} }, '"onMessage" is unknown'],
    [
      { concurrentPrompts: "rejct" },
      '"concurrentPrompts" must be "queue" or "reject" or "send", not "rejct"; did you mean "reject"?',
    ],
    [{ limits: { requestTimeoutMS: 1 } }, '"limits.requestTimeoutMS" is unknown; did you mean "requestTimeoutMs"?'],
    [{ onDiagnostics() {} }, '"onDiagnostics" is unknown; did you mean "onDiagnostic"?'],
    [{ file: {} }, '"file" is unknown; did you mean "files"?'],
    [{ files: { readTextfile() {} } }, '"files.readTextfile" is unknown; did you mean "readTextFile"?'],
    [{ files: { readTextFile: true } }, '"files.readTextFile" must be a function, not boolean'],
    [{ terminals: { ...terminals, killTerminal: undefined } }, '"terminals.killTerminal" is missing'],
    [{ elicitation: { from() {} } }, '"elicitation.from" is unknown; did you mean "form"?'],
    [{ login: { terminal() {} } }, '"login.choose" is missing'],
    [{ onUpdate: {} }, '"onUpdate" must be a function, not object'],
    [{ permissions: ["allow"] }, '"permissions" must be functions or rules such as allowReads()'],
  ])("%j is refused, and the transport closed", async (options, problem) => {
    const { transport: ours, closed } = transport();
    await expect(connect(ours, options)).rejects.toMatchObject({
      name: "InvalidOptionError",
      message: `connectAgent: the option ${problem}`,
    });
    await closed;
  });

  test.each([undefined, {}, { command: "agent" }, "agent"])("%j is no transport", async (agent) => {
    await expect(connect(agent)).rejects.toThrow("must be a transport or a promise of one");
  });

  test("strict.options-are-checked: a transport that was promised is closed, too, and one that can't be had changes nothing", async () => {
    const { transport: ours, closed } = transport();
    await expect(connect(Promise.resolve(ours), { tap: 1 })).rejects.toThrow('"tap" must be a function');
    await closed;
    await expect(connect(Promise.reject(new Error("no")), { tap: 1 })).rejects.toThrow('"tap" must be a function');
  });

  test("a signal that aborted before closes the transport", async () => {
    const { transport: ours, closed } = transport();
    await expect(connect(ours, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    await closed;
  });
});
