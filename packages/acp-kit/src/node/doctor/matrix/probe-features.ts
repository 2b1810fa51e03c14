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

/** The methods to call. The order matters, because the last methods end the session. */
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

/** The capability that advertises each method of {@link probeFeatures}. */
export const probedCapabilities: Readonly<Record<string, string>> = Object.fromEntries(
  features.map(({ method, capability }) => [method, capability]),
);

/** The methods that fail although the agent advertises them, and those that work although it does not. */
export interface FeatureFindings {
  /** The methods that were called. */
  readonly probed: readonly string[];
  readonly offeredButBroken: readonly FeatureQuirk[];
  readonly worksUnoffered: readonly FeatureQuirk[];
}

/**
 * Starts one process of the agent and calls each method of `features` in it, whether the agent advertises the method or
 * not.
 *
 * @param sessionId the id of a saved session that contains a turn.
 */
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
  return { probed: features.map(({ method }) => method), offeredButBroken, worksUnoffered };
}

/** Sends `initialize`, and logs in if the agent's recipe contains a login method. */
export async function initialize(raw: RawExchange, { authMethod }: SandboxedAgent): Promise<RawAnswer> {
  const answer = await raw.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "acp-kit", version: "0.0.0" },
  });
  if (authMethod !== undefined) await raw.request("authenticate", { methodId: authMethod });
  return answer;
}

/** Describes a response in a few words, without the agent's message, which may contain paths and ids. */
export function answerText(answer: RawAnswer): string {
  if (answer.is === "result") return "works";
  return answer.is === "none" ? "gets no response" : `error ${String(answer.code)}`;
}
