import { expect, test } from "vitest";
import { agentCommand, agentEnvironment, clientCommand } from "./agent-command.js";

const agent = agentCommand(["/usr/bin/node", "/tmp/a b/agent.mjs"]);
const rest = { agent, prompt: "Say $& hello", cwd: "/tmp/session", append: true };

test("appends the agent's command if no argument has a placeholder", () => {
  expect(clientCommand(["client", "--prompt", "{prompt}"], rest)).toEqual([
    "client",
    "--prompt",
    "Say $& hello",
    "/usr/bin/node",
    "/tmp/a b/agent.mjs",
  ]);
});

test("replaces {agent} with the arguments of the agent's command", () => {
  expect(clientCommand(["client", "--agent", "{agent}", "--cwd={cwd}"], rest)).toEqual([
    "client",
    "--agent",
    "/usr/bin/node",
    "/tmp/a b/agent.mjs",
    "--cwd=/tmp/session",
  ]);
});

test("replaces {agent-string} with one quoted string", () => {
  expect(clientCommand(["client", "--agent={agent-string}"], rest)).toEqual([
    "client",
    '--agent=/usr/bin/node "/tmp/a b/agent.mjs"',
  ]);
});

test("agentInEnvironment leaves the arguments unchanged", () => {
  expect(clientCommand(["client"], { ...rest, append: false })).toEqual(["client"]);
  expect(agentEnvironment(agent)).toEqual({
    ACP_KIT_AGENT: '/usr/bin/node "/tmp/a b/agent.mjs"',
    ACP_KIT_AGENT_JSON: '["/usr/bin/node","/tmp/a b/agent.mjs"]',
  });
});
