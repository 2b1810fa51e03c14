import { createInterface } from "node:readline/promises";
import { cleanLine } from "../chat/text/clean.js";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { columns } from "../text-columns.js";
import { type AgentHere, agentsHere } from "./agents-here.js";

/**
 * Prompts the user for one of the agents of this machine. Returns its name.
 *
 * @throws {CommandFailure} without a terminal, without an agent, and if the user chooses none.
 */
export async function chooseAgent(host: Host): Promise<string> {
  const agents = await agentsHere(host);
  if (agents.length === 0) {
    throw usageFailure(
      "No agent is installed. Install one with `acp-kit agents install gemini`; `acp-kit agents` lists others.\n" +
        "`acp-kit chat -- acp-kit demo-agent` needs none.",
    );
  }
  if (host.stdin.isTTY !== true || !host.stderr.isTerminal) {
    throw usageFailure(
      `Which agent? These are installed: ${agents.map(({ id }) => cleanLine(id)).join(", ")}. Give a name, as in: acp-kit chat ${cleanLine(agents[0]?.id ?? "")}`,
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

/** Where an agent is from, in words. */
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
  const lines = createInterface({ input: host.stdin, output: process.stderr });
  try {
    const text = (await lines.question(`Which agent? [1-${agents.length}, Enter: 1] `)).trim();
    const chosen = agents.find(({ id }) => id === text) ?? agents[(text === "" ? 1 : Number(text)) - 1];
    if (chosen === undefined) throw usageFailure(`There is no agent "${cleanLine(text)}" in the list.`);
    return chosen.id;
  } finally {
    lines.close();
  }
}
