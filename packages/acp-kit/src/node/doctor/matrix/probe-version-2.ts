import { promptPresets } from "@acp-kit/conformance";
import { deferred } from "@acp-kit/protocol/internal";
import type { AgentQuirks, FeatureQuirk } from "@acp-kit/registry";
import { clientMethods, isKnownSessionUpdate, protocolMethods } from "@acp-kit/types/v2";
import { capabilityPaths } from "./capability-paths.js";
import { answerText } from "./probe-features.js";
import { RawExchange, unknownUses } from "./raw-exchange.js";
import type { SandboxedAgent } from "./sandbox.js";

/** Maximum time for the end of work, in milliseconds. */
const workMs = 60_000;
const known: ReadonlySet<string> = new Set<string>([
  ...Object.values(clientMethods),
  ...Object.values(protocolMethods),
]);

/**
 * The methods to call. Every agent of version 2 has them, except for one with a capability. The last end the session.
 */
const features = [
  { method: "session/list", params: () => ({}) },
  {
    method: "session/resume",
    params: (session: { readonly sessionId: string; readonly cwd: string }) => ({
      ...session,
      replayFrom: { type: "start" },
    }),
  },
  { method: "session/close", params: ({ sessionId }: { readonly sessionId: string }) => ({ sessionId }) },
  {
    method: "session/delete",
    capability: "session.delete",
    params: ({ sessionId }: { readonly sessionId: string }) => ({ sessionId }),
  },
] as const;

/**
 * Measures an agent over version 2: a turn, a cancelled turn, and the methods of saved sessions, in a new process.
 * Returns `null` if the agent chooses version 1.
 */
export async function probeVersion2(agent: SandboxedAgent): Promise<NonNullable<AgentQuirks["version2"]> | null> {
  const { authMethod, cwd } = agent;
  const first = new RawExchange(agent);
  try {
    const capabilities = await initialize(first, authMethod);
    if (capabilities === undefined) return null;
    const offers = capabilityPaths(capabilities);
    const session = await first.request("session/new", { cwd });
    const sessionId = session.is === "result" ? String(session.result.sessionId) : undefined;
    const onCancel = sessionId === undefined ? "not measured" : await turns(first, sessionId);
    await first.process.close();
    const failing = sessionId === undefined ? [] : await failingFeatures(agent, sessionId, offers);
    return {
      offers,
      probed: sessionId === undefined ? [] : features.map(({ method }) => method),
      offeredButBroken: failing,
      outsideSchema: unknownUses(first, known, isKnownSessionUpdate),
      onCancel,
    };
  } finally {
    await first.process.close();
  }
}

/** Initializes for both versions. Returns the capabilities; `undefined` if the agent does not choose version 2. */
async function initialize(raw: RawExchange, authMethod: string | undefined): Promise<unknown> {
  const info = { name: "acp-kit", version: "0.0.0" };
  const versionOne = { clientInfo: info, clientCapabilities: { fs: {}, terminal: false } };
  const answer = await raw.request("initialize", { protocolVersion: 2, info, capabilities: {}, ...versionOne });
  if (answer.is !== "result" || answer.result.protocolVersion !== 2 || answer.result.info === undefined)
    return undefined;
  if (authMethod !== undefined) await raw.request("auth/login", { methodId: authMethod });
  return answer.result.capabilities ?? {};
}

/** Runs a turn, and cancels a second one while text streams. Returns the stop reason of the second. */
async function turns(raw: RawExchange, sessionId: string): Promise<string> {
  await played(raw, sessionId, promptPresets.plain.text ?? "Hello", () => {});
  let hasCancelled = false;
  const end = await played(raw, sessionId, promptPresets.plain.long ?? "Count to 2000", (kind) => {
    if (hasCancelled || !kind.startsWith("agent_message")) return;
    hasCancelled = true;
    raw.notify("session/cancel", { sessionId });
  });
  return hasCancelled ? end : "not measured"; // the agent sent no text
}

/** Sends a prompt, and returns the stop reason of its work: `error <code>` if it failed, `none` if it did not end. */
async function played(
  raw: RawExchange,
  sessionId: string,
  text: string,
  onUpdate: (kind: string) => void,
): Promise<string> {
  const ended = deferred<string>();
  const timer = setTimeout(() => ended.resolve("none"), workMs);
  const ignore = raw.onUpdate((kind, update) => {
    onUpdate(kind);
    const { state, stopReason, error } = update as Readonly<Record<string, unknown>>;
    if (kind !== "state_update" || state !== "idle") return;
    const { code } = Object(error) as { readonly code?: unknown };
    ended.resolve(stopReason === "error" ? `error ${String(code)}` : String(stopReason));
  });
  const answer = await raw.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  if (answer.is !== "result") ended.resolve(answerText(answer));
  const end = await ended.promise;
  clearTimeout(timer);
  ignore();
  return end;
}

/** Calls the methods of saved sessions in a new process, and returns those that fail. */
async function failingFeatures(
  agent: SandboxedAgent,
  sessionId: string,
  offers: readonly string[],
): Promise<readonly FeatureQuirk[]> {
  await using raw = new RawExchange(agent);
  await initialize(raw, agent.authMethod);
  const failing: FeatureQuirk[] = [];
  for (const feature of features) {
    const answer = await raw.request(feature.method, feature.params({ sessionId, cwd: agent.cwd }));
    const isOffered = !("capability" in feature) || offers.includes(feature.capability);
    if (isOffered && answer.is !== "result") failing.push({ feature: feature.method, observed: answerText(answer) });
  }
  return failing;
}
