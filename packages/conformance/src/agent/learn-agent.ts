import type { DialogueEntry } from "../dialogue.js";
import { Failure, Inconclusive, Skip } from "../verdict.js";
import type { PeerExit } from "../wire/peer-process.js";
import { isObject, member, shown } from "../wire/values.js";
import type { AgentContext } from "./agent-context.js";
import type { AgentFacts } from "./agent-facts.js";
import { exitText } from "./agent-peer.js";
import { loginNeeded, noModel } from "./obstacles.js";

/** Learns what the agent does in plain conversations of both versions. The agent's behaviour never rejects it. */
export async function learnAgent(context: AgentContext): Promise<AgentFacts> {
  const facts = await learnVersion1(context);
  const responds = context.dialogues.some(({ entries }) => entries.some(isFromAgent));
  return { ...facts, speaksVersion2: responds && (await speaksVersion2(context)) };
}

/** Sends one `initialize` that satisfies both versions. */
async function speaksVersion2(context: AgentContext): Promise<boolean> {
  try {
    const info = { name: "acp-kit-conformance", version: "1.0.0" };
    const params = { protocolVersion: 2, info, capabilities: {}, clientInfo: info, clientCapabilities: {} };
    const { result } = await (await context.start()).request("initialize", params);
    // An agent of version 1 that echoes the number has no `info`.
    return member(result, "protocolVersion") === 2 && isObject(member(result, "info"));
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof Failure) return false;
    throw error;
  }
}

/** Runs one plain conversation: `initialize`, `session/new`, a text prompt. */
async function learnVersion1(context: AgentContext): Promise<AgentFacts> {
  let facts: AgentFacts = {
    speaks: true,
    initializes: false,
    speaksVersion2: false,
    version: undefined,
    opensSessions: false,
    endsTurns: false,
  };
  const peer = await context.start();
  try {
    const agent = await context.initialize(peer);
    await context.logIn(peer);
    const version = member(agent.initialized, "protocolVersion");
    facts = { ...facts, initializes: true, version };
    if (version !== 1)
      return { ...facts, blocked: `the agent uses version ${shown(version)}, and the rules are those of version 1` };
    const opened = await agent.peer.request("session/new", { cwd: context.files.cwd, mcpServers: [] });
    const id = member(opened.result, "sessionId");
    if (opened.error?.code === -32000) return { ...facts, blocked: loginNeeded };
    if (opened.error) return { ...facts, blocked: `session/new fails: ${shown(opened.error)}` };
    facts = { ...facts, opensSessions: true };
    const { text } = context.options.prompts;
    if (typeof id !== "string" || text === undefined) return { ...facts, endsTurns: true };
    const session = { peer: agent.peer, id, result: isObject(opened.result) ? opened.result : {} };
    const response = await context.endOf(session, context.prompt(session, text));
    // A response with both `error` and `result` is no failed turn here: a watch reports it as a violation of RPC-03.
    if (response.error && response.result === undefined) {
      const turnsFail = `${noModel}: ${shown(response.error)}`;
      return { ...facts, turnsFail, blocked: turnsFail };
    }
    return { ...facts, endsTurns: true };
  } catch (error) {
    if (error instanceof Inconclusive) return { ...facts, blocked: error.message };
    if (error instanceof Failure && peer.exit && !peer.log.entries.some(isFromAgent)) {
      return { ...facts, speaks: false, blocked: endedAtOnce(peer.exit) };
    }
    if (error instanceof Failure || error instanceof Skip) return facts;
    throw error;
  }
}

function isFromAgent(entry: DialogueEntry): boolean {
  return "from" in entry && entry.from === "agent";
}

/** Returns the reason if the process ends before it writes: it may lack a key, a login or a file. */
function endedAtOnce(exit: PeerExit): string {
  const tail = exit.stderrTail.trim();
  const words = tail === "" ? "" : `; its standard error ends with ${shown(tail.slice(-300), 400)}`;
  return `the agent's process ends immediately (${exitText(exit)})${words}`;
}
