import type { FeatureQuirk } from "@acp-kit/registry";
import { type RawAnswer, RawExchange } from "./raw-exchange.js";
import type { SandboxedAgent } from "./sandbox.js";

/** A method with the capability that advertises it. */
interface Feature {
  readonly method: string;
  readonly capability: string;
  readonly params: (session: SessionParams) => unknown;
}

interface SessionParams {
  readonly sessionId: string;
  readonly cwd: string;
}

/** In this order: the last ones end the session. */
const features: readonly Feature[] = [
  { method: "session/list", capability: "sessionCapabilities.list", params: () => ({}) },
  { method: "session/load", capability: "loadSession", params: (session) => ({ ...session, mcpServers: [] }) },
  {
    method: "session/resume",
    capability: "sessionCapabilities.resume",
    params: (session) => ({ ...session, mcpServers: [] }),
  },
  { method: "session/close", capability: "sessionCapabilities.close", params: ({ sessionId }) => ({ sessionId }) },
  { method: "session/delete", capability: "sessionCapabilities.delete", params: ({ sessionId }) => ({ sessionId }) },
];

/** What was found of the features. */
export interface FeatureFindings {
  readonly offeredButBroken: readonly FeatureQuirk[];
  readonly worksUnoffered: readonly FeatureQuirk[];
}

/** Calls the methods that capabilities advertise, in a new process of the agent, with a session that had a turn before. */
export async function probeFeatures(
  agent: SandboxedAgent,
  sessionId: string,
  offers: readonly string[],
): Promise<FeatureFindings> {
  await using raw = new RawExchange(agent);
  const offeredButBroken: FeatureQuirk[] = [];
  const worksUnoffered: FeatureQuirk[] = [];
  await initialize(raw, agent);
  for (const { method, capability, params } of features) {
    const answer = await raw.request(method, params({ sessionId, cwd: agent.cwd }));
    const isOffered = offers.includes(capability);
    if (isOffered && answer.is !== "result") offeredButBroken.push({ feature: method, observed: answerText(answer) });
    if (!isOffered && answer.is === "result")
      worksUnoffered.push({ feature: method, observed: "works without its capability" });
  }
  return { offeredButBroken, worksUnoffered };
}

/** Initializes an agent, and logs in where its recipe has a method for that. */
export async function initialize(raw: RawExchange, { authMethod }: SandboxedAgent): Promise<RawAnswer> {
  const answer = await raw.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "acp-kit", version: "0.0.0" },
  });
  if (authMethod !== undefined) await raw.request("authenticate", { methodId: authMethod });
  return answer;
}

/** An answer in a few words. Messages of agents may have paths and ids in them, and are left out. */
function answerText(answer: RawAnswer): string {
  if (answer.is === "result") return "works";
  return answer.is === "none" ? "gets no response" : `error ${String(answer.code)}`;
}
