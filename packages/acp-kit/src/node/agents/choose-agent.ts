import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { cleanLine } from "../chat/text/clean.js";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { columns } from "../text-columns.js";
import { type AgentHere, agentsHere } from "./agents-here.js";

/**
 * Prompts the user to choose an agent of this machine. Returns the name of the chosen agent.
 *
 * @throws {CommandFailure} when there is no terminal or no agent, or the user chooses none.
 */
export async function chooseAgent(host: Host): Promise<string> {
  const agents = await agentsHere(host);
  if (agents.length === 0) {
    throw usageFailure(
      "No agent is installed. Install one with `acp-kit agents install gemini`; `acp-kit agents` lists all agents.\n" +
        "To chat without an installation: acp-kit chat -- acp-kit demo-agent",
    );
  }
  if (host.stdin.isTTY !== true || !host.stderr.isTerminal) {
    throw usageFailure(
      `The agent is missing. These are installed: ${agents.map(({ id }) => cleanLine(id)).join(", ")}. Give a name, as in: acp-kit chat ${cleanLine(agents[0]?.id ?? "")}`,
    );
  }
  const { bold, dim } = host.stderr.colours;
  const rows = agents.map(({ id, name, version, origin }, index) => [
    bold(String(index + 1)),
    cleanLine(id),
    dim(cleanLine(`${name}${version === null ? "" : ` ${version}`}, ${placeOf(origin)}`)),
  ]);
  for (const line of columns(rows)) host.stderr.line(`  ${line}`);
  return await answer(agents, host);
}

/** Returns the text for the place where an agent was found. */
export function placeOf(origin: AgentHere["origin"]): string {
  const places = {
    settings: "your settings",
    installed: "installed",
    editor: "your editor's settings",
    path: "on the PATH",
  };
  return places[origin];
}

async function answer(agents: readonly AgentHere[], host: Host): Promise<string> {
  const output = new Writable({
    write(text, _encoding, done) {
      host.stderr.write(String(text));
      done();
    },
  });
  const lines = createInterface({ input: host.stdin, output });
  try {
    const text = (await lines.question(`Which agent? [1-${agents.length}, Enter: 1] `)).trim();
    const chosen = agents.find(({ id }) => id === text) ?? agents[(text === "" ? 1 : Number(text)) - 1];
    if (chosen === undefined) throw usageFailure(`There is no agent "${cleanLine(text)}" in the list.`);
    return chosen.id;
  } finally {
    lines.close();
  }
}
