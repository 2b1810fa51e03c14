import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AcpProxy, withProxies } from "@acp-kit/proxy";
import { Option } from "commander";
import { usageFailure } from "./command-failure.js";
import { errorText } from "./error-text.js";
import type { Host } from "./host.js";

/** The option `--use` of commands that start an agent. */
export function useOption(): Option {
  return new Option(
    "--use <module>",
    "a JavaScript module whose default export is an ACP proxy of @acp-kit/proxy, or a list of them, to put in front of the agent; may be repeated",
  ).argParser((path: string, before: readonly string[] = []) => [...before, path]);
}

/**
 * Loads the ACP proxies of the option `--use`, in order: the first is next to the client.
 *
 * @throws {CommandFailure} when a module can't be loaded or exports no proxy.
 */
export async function loadProxies(modules: readonly string[] | undefined, { cwd }: Host): Promise<readonly AcpProxy[]> {
  const proxies: AcpProxy[] = [];
  for (const path of modules ?? []) {
    const loaded: unknown = await importDefault(path, cwd);
    const all = Array.isArray(loaded) ? loaded : [loaded];
    if (!all.every(isProxy))
      throw usageFailure(`--use ${path}: the default export must be an ACP proxy of createProxy, or a list of them`);
    proxies.push(...all);
  }
  return proxies;
}

/** Puts proxies in front of an agent; returns the agent itself if there are none. */
export function behindProxies<Agent extends Parameters<typeof withProxies>[0]>(
  agent: Agent,
  proxies: readonly AcpProxy[],
): Agent | ReturnType<typeof withProxies<Agent>> {
  return proxies.length === 0 ? agent : withProxies(agent, proxies);
}

async function importDefault(path: string, cwd: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(cwd, path)).href)) as { readonly default?: unknown };
    return module.default;
  } catch (cause) {
    throw usageFailure(`--use ${path}: ${errorText(cause)}`, { cause });
  }
}

function isProxy(value: unknown): value is AcpProxy {
  return typeof (value as Partial<AcpProxy> | null | undefined)?.open === "function";
}
