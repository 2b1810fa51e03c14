import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { sandbox } from "../../../../test/spawned.js";
import { probeRules } from "./probe-rules.js";
import type { SandboxedAgent } from "./sandbox.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

/**
 * An agent that responds to the listed methods only, with two modes, and sends an update of an earlier draft with its
 * session.
 */
function agentThatAnswers(...methods: readonly string[]): SandboxedAgent {
  const script = join(cwd, "agent.mjs");
  writeFileSync(
    script,
    `import { createInterface } from "node:readline";
const modes = { currentModeId: "a", availableModes: [{ id: "a", name: "A" }, { id: "b", name: "B" }] };
const results = {
  initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  "session/new": { sessionId: "s", modes },
  "session/prompt": { stopReason: "end_turn" },
};
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "session/prompt" && params.sessionId === "s")
    send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "thought", content: { type: "text", text: "A" } } } });
  if (process.argv.slice(2).includes(method)) send({ id, result: results[method] });
});
`,
  );
  const { PATH = "" } = process.env;
  return {
    spawn: { command: process.execPath, args: [script, ...methods], env: { PATH, HOME: home }, inheritEnv: false, cwd },
    cwd,
    home,
    authMethod: undefined,
    [Symbol.dispose]: () => {},
  };
}

it.each([
  ["session/set_mode and session/load", ["initialize", "session/new", "session/prompt"], ["older-update-names"]],
  ["session/prompt", ["initialize", "session/new"], ["older-update-names"]],
  ["session/new", ["initialize"], []],
])("an agent that never responds to %s delays the measurement only by its time limits", async (_, methods, rules) => {
  expect(await probeRules(agentThatAnswers(...methods), { stepMs: 500 })).toEqual(rules);
});

it("ends with the reason of an aborted signal while a request waits", async () => {
  const stop = new AbortController();
  const running = probeRules(agentThatAnswers("initialize"), { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
});
