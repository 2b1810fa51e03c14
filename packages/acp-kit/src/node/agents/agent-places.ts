import {
  type AgentRegistry,
  type InstallStore,
  openInstallStore,
  openRegistry,
  type RegistrySource,
  readOwnSettings,
} from "@acp-kit/registry";
import type { Host } from "../host.js";

/** The environment variable with the URL or the file of a registry, which replaces the registries of the settings. */
export const registryVariable = "ACP_REGISTRY";

/** Opens the user's install store. */
export function openStore({ env }: Pick<Host, "env">): InstallStore {
  return openInstallStore({ env });
}

/**
 * Opens the registries that the user has configured. The environment variable `ACP_REGISTRY` replaces the
 * registries in the settings. The registries in the settings replace the public registry.
 *
 * @throws {RegistryError} when the settings are invalid, or a required source can't be read.
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
