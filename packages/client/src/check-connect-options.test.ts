import { linkedTransports, type Transport } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import { connectAgent } from "./connect-agent.js";

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

describe("connectAgent in plain JavaScript", () => {
  test.each([
    [{ permission: [] }, '"permission" is unknown; did you mean "permissions"?'],
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
