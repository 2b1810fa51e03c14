import {
  type AgentRegistry,
  type InstallStore,
  openInstallStore,
  openRegistry,
  type RegistrySource,
  readOwnSettings,
} from "@acp-kit/registry";
import type { Host } from "../host.js";

/** The variable that names a registry to use instead of those of the settings: a URL, or a file. */
export const registryVariable = "ACP_REGISTRY";

/** Opens the store of the user's installed agents. */
export function openStore({ env }: Pick<Host, "env">): InstallStore {
  return openInstallStore({ env });
}

/**
 * Opens the registries of the user: that of `ACP_REGISTRY`, else those of the settings, else the public one.
 *
 * @throws {RegistryError} for mistakes in the settings, and required sources that can't be read.
 */
export async function openRegistries(
  { env }: Pick<Host, "env">,
  options: { readonly offline?: boolean; readonly refresh?: boolean; readonly signal?: AbortSignal } = {},
): Promise<AgentRegistry> {
  const { offline = false, refresh = false, signal } = options;
  const chosen = env[registryVariable];
  const sources = chosen ? [sourceOf(chosen)] : (await readOwnSettings(env)).registries;
  return await openRegistry({
    env,
    offline,
    ...(refresh && { maxAgeMs: 0 }),
    ...(sources !== undefined && { sources }),
    ...(signal !== undefined && { signal }),
  });
}

function sourceOf(text: string): RegistrySource {
  return /^https?:/.test(text) ? { url: text, required: true } : { file: text, required: true };
}
