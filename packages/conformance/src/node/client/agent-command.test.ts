import { expect, test } from "vitest";
import { agentCommand, agentEnvironment, clientCommand } from "./agent-command.js";

const agent = agentCommand(["/usr/bin/node", "/tmp/a b/agent.mjs"]);
const rest = { agent, prompt: "Say $& hello", cwd: "/tmp/session", append: true };

test("without a place for it, the agent's words come last", () => {
  expect(clientCommand(["client", "--prompt", "{prompt}"], rest)).toEqual([
    "client",
    "--prompt",
    "Say $& hello",
    "/usr/bin/node",
    "/tmp/a b/agent.mjs",
  ]);
});

test("{agent} becomes the words, where it stands", () => {
  expect(clientCommand(["client", "--agent", "{agent}", "--cwd={cwd}"], rest)).toEqual([
    "client",
    "--agent",
    "/usr/bin/node",
    "/tmp/a b/agent.mjs",
    "--cwd=/tmp/session",
  ]);
});

test("{agent-string} becomes one word, with quotes where a word needs them", () => {
  expect(clientCommand(["client", "--agent={agent-string}"], rest)).toEqual([
    "client",
    '--agent=/usr/bin/node "/tmp/a b/agent.mjs"',
  ]);
});

test("a client that looks into its environment finds the agent there alone", () => {
  expect(clientCommand(["client"], { ...rest, append: false })).toEqual(["client"]);
  expect(agentEnvironment(agent)).toEqual({
    ACP_KIT_AGENT: '/usr/bin/node "/tmp/a b/agent.mjs"',
    ACP_KIT_AGENT_JSON: '["/usr/bin/node","/tmp/a b/agent.mjs"]',
  });
});
