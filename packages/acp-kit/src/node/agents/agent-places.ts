import {
  type AgentRegistry,
  type InstallStore,
  openInstallStore,
  openRegistry,
  type RegistrySource,
  readOwnSettings,
} from "@acp-kit/registry";
import type { Host } from "../host.js";

/** The environment variable that contains the URL or the path of a registry. It replaces those of the settings. */
export const registryVariable = "ACP_REGISTRY";

/** Opens the user's install store. */
export function openStore({ env }: Pick<Host, "env">): InstallStore {
  return openInstallStore({ env });
}

/**
 * Opens the registry in the environment variable `ACP_REGISTRY`. Without this variable, opens the registries in the
 * user's settings; without those, the public registry.
 *
 * @throws {RegistryError} when the settings are invalid, or a registry with `required: true` can't be read.
 */
export async function openRegistries(
  { env }: Pick<Host, "env">,
  options: { readonly offline?: boolean; readonly refresh?: boolean; readonly signal?: AbortSignal } = {},
): Promise<AgentRegistry> {
  const { offline = false, refresh = false, signal } = options;
  const chosen = env[registryVariable];
  const sources = chosen ? [sourceOf(chosen, offline)] : (await readOwnSettings(env)).registries;
  return await openRegistry({
    env,
    offline,
    ...(refresh && { maxAgeMs: 0 }),
    ...(sources !== undefined && { sources }),
    ...(signal !== undefined && { signal }),
  });
}

/** A URL is not required offline: before its first use it is not cached, and local agents must be usable. */
function sourceOf(text: string, offline: boolean): RegistrySource {
  return /^https?:/.test(text) ? { url: text, required: !offline } : { file: text, required: true };
}
