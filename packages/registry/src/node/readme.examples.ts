import { type AgentConnection, allowReads, connectAgent } from "@acp-kit/client";
import {
  type AgentRegistry,
  type AgentUpdate,
  type OnInstallProgress,
  openInstallStore,
  openRegistry,
  planUpdates,
  publicRegistry,
  resolveAgent,
  warmAgents,
} from "@acp-kit/registry";
import { quirksOf } from "@acp-kit/registry/quirks";
import { loginEnvironment, spawnAgent } from "@acp-kit/stdio/node";

// #region start
/** Starts an agent by its name, and installs it first if it is not on this machine. */
export async function startByName(name: string, onProgress: OnInstallProgress): Promise<AgentConnection> {
  const agent = await resolveAgent(name, { install: true, onProgress });
  return await connectAgent(spawnAgent(agent), { permissions: [allowReads()] });
}
// #endregion start

// #region desktop
/**
 * Starts an agent from a desktop application. Its own `PATH` lacks some folders of the user, so it uses the `PATH` of
 * the login environment.
 */
export async function startFromDesktop(name: string): Promise<AgentConnection> {
  const env = await loginEnvironment();
  return await connectAgent(spawnAgent({ ...(await resolveAgent(name, { env })), inheritEnv: false }));
}
// #endregion desktop

// #region sources
/**
 * Opens a company's registry and the public registry. The company's registry takes precedence. Both must be reachable
 * and current.
 */
export async function companyRegistry(url: string, publicKey: string): Promise<AgentRegistry> {
  const registry = await openRegistry({ sources: [{ url, publicKey, required: true }, publicRegistry] });
  const unread = registry.sources.filter(({ state }) => state !== "current");
  if (unread.length > 0)
    throw new Error(`Not current: ${unread.map(({ name, state }) => `${name} (${state})`).join(", ")}`);
  return registry;
}
// #endregion sources

// #region update
/**
 * Installs all later versions in the registry. Does not install earlier versions, and keeps the versions that the user
 * chose.
 */
export async function updateAll(registry: AgentRegistry): Promise<readonly AgentUpdate[]> {
  const store = openInstallStore();
  const plan = await planUpdates(registry, store);
  for (const { id, change } of plan) if (change === "update") await store.install(registry.getOrThrow(id));
  return plan;
}
// #endregion update

// #region warm
/**
 * Starts an agent before the user needs it. When the user begins the first chat, the agent has already responded to
 * `initialize`.
 */
export async function firstChat(name: string): Promise<AgentConnection> {
  await using warm = warmAgents(await resolveAgent(name), { connect: { permissions: [allowReads()] } });
  return await warm.take();
}
// #endregion warm

// #region quirks
/**
 * Returns whether a cancelled turn of this agent ends with the stop reason `cancelled`, as the protocol requires;
 * `undefined` if it was not measured.
 */
export function endsCancelledTurns(agent: string, version: string): boolean | undefined {
  const quirks = quirksOf(agent, version);
  return quirks && quirks.onCancel === "cancelled";
}
// #endregion quirks
