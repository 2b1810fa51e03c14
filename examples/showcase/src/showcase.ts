import type { AgentCapability, AgentConnection, Session } from "@acp-kit/client";
import { chapters } from "./chapters.js";
import { connect, type Scene } from "./connect.js";
import { playChapter } from "./play-chapter.js";
import { reload } from "./reload.js";
import { type Stage, timed } from "./stage.js";
import { dim } from "./style.js";
import { summarize } from "./summary.js";

/** Runs the whole conversation: the turns in one process, and a reload of the session in another process. */
export async function playShowcase(stage: Stage): Promise<void> {
  const sessionId = await converse(stage);
  await reload(stage, sessionId);
  summarize(stage);
}

/** Initializes the connection, opens a session, and runs the turns. */
async function converse(stage: Stage): Promise<string> {
  const { screen, checks, cwd, everything, witness, live } = stage;
  screen.heading("Negotiation");
  const scene = await timed(stage, "start and initialize", () => connect(stage));
  await using agent = scene.agent;
  introduce(stage, scene);

  screen.heading("A session");
  const session = await timed(stage, "session/new", () => agent.newSession({ cwd }));
  session.onUpdate((update) => live.add(update));
  screen.row("session", session.sessionId);
  screen.row("folder", cwd);
  describe(stage, session);
  if (everything) {
    await witness.until("available_commands_update", 5_000);
    checks.order(witness.take(), ["available_commands_update"], "A session");
  }
  for (const chapter of chapters) await playChapter(stage, session, chapter);

  checks.equal(scene.openTerminals(), 0, "terminals that were not released");
  if (everything) checks.equal(scene.problems, [], "diagnostics");
  else for (const problem of scene.problems) screen.row("noticed", problem, dim);
  return session.sessionId;
}

function introduce({ screen, checks, everything }: Stage, { agent, pid }: Scene): void {
  const { info, protocolVersion } = agent;
  screen.row("client", `acp-kit showcase, process ${process.pid}`);
  screen.row("agent", `${info?.title ?? info?.name ?? "(nameless)"} ${info?.version ?? ""}, process ${pid}`);
  screen.row("protocol", `version ${protocolVersion}`);
  screen.row("offers", offersOf(agent).join(", ") || "nothing beyond the baseline");
  const logins = agent.authMethods.map((method) => String(method.name));
  if (logins.length > 0) screen.row("logins", logins.join(", "));
  checks.equal(protocolVersion, 1, "the protocol version");
  if (everything) {
    checks.equal(info?.name, "everything-agent", "the agent's name");
    checks.equal(offersOf(agent).length, 11, "the number of capabilities");
  }
}

const capabilities: readonly [name: string, path: AgentCapability][] = [
  ["load", "agentCapabilities.loadSession"],
  ["resume", "agentCapabilities.sessionCapabilities.resume"],
  ["list", "agentCapabilities.sessionCapabilities.list"],
  ["close", "agentCapabilities.sessionCapabilities.close"],
  ["delete", "agentCapabilities.sessionCapabilities.delete"],
  ["more roots", "agentCapabilities.sessionCapabilities.additionalDirectories"],
  ["images", "agentCapabilities.promptCapabilities.image"],
  ["audio", "agentCapabilities.promptCapabilities.audio"],
  ["resources", "agentCapabilities.promptCapabilities.embeddedContext"],
  ["MCP over HTTP", "agentCapabilities.mcpCapabilities.http"],
  ["MCP over SSE", "agentCapabilities.mcpCapabilities.sse"],
];

function offersOf(agent: AgentConnection): string[] {
  return capabilities.filter(([, path]) => agent.offers(path)).map(([name]) => name);
}

function describe({ screen }: Stage, { options }: Session): void {
  for (const option of options) screen.row("option", `${option.name}: ${String(option.value)}`);
}
