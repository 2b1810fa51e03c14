import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { isAbsolutePath } from "@acp-kit/protocol/internal";
import { type AcpProxy, createProxy } from "../create-proxy.js";
import { refuse } from "../hop-error.js";
import type { AnyInterceptor, NextNotification } from "../interceptors.js";
import { v2 } from "../v2/index.js";
import { mapGitPatch } from "./map-git-patch.js";
import { namesDifferInCase } from "./names-differ-in-case.js";
import { mapPath, mapUri, type PathPair } from "./path-pair.js";
import { MIDDLEWARE_VERSION } from "./version.js";

/** A folder of the client, and the path by which the agent reaches the same folder. */
export interface MappedFolder {
  /** An absolute path on the client's side, such as `/home/me/project` or `C:\project`. */
  readonly client: string;
  /** An absolute path on the agent's side, such as `/workspace`. */
  readonly agent: string;
}

/**
 * Creates an ACP proxy that maps paths for an agent that sees the client's folders elsewhere, such as in a container,
 * in WSL or on another machine. It maps every member of the protocol that is a path or a `file:` URI, in both
 * directions, and never free text, commands or contents. In patches of version 2, it maps the headers. The longest
 * matching folder decides; a path outside of all folders stays.
 *
 * @throws {InvalidOptionError} when a path is not absolute.
 * @example
 * ```ts
 * withProxies(agent, [mapPaths([{ client: "/home/me/project", agent: "/workspace" }])])
 * ```
 */
export function mapPaths(mappings: readonly MappedFolder[]): AcpProxy {
  for (const [index, { client, agent }] of mappings.entries())
    for (const [name, path] of Object.entries({ client, agent }))
      if (typeof path !== "string" || !isAbsolutePath(path))
        throw new InvalidOptionError("mapPaths", `mappings[${index}].${name}`, "must be an absolute path");
  const toAgent = mappings.map(({ client, agent }) => ({ from: client, to: agent }));
  const toClient = mappings.map(({ client, agent }) => ({ from: agent, to: client }));
  const intercept =
    (params: readonly PathPair[], results: readonly PathPair[]): AnyInterceptor =>
    async (message, next) => {
      if (namesDifferInCase(message.params)) refuse("The message has members whose names differ only in case.");
      return mapped(await next(mapped(message.params, params)), results);
    };
  const fromClient = { "*": intercept(toAgent, toClient) };
  const fromAgent = {
    // Updates are not asynchronous, so that they hold nothing.
    "session/update": ({ params }: { readonly params: unknown }, next: NextNotification<never>) => {
      if (namesDifferInCase(params)) refuse("The message has members whose names differ only in case.");
      next(mapped(params, toClient) as never);
    },
    "*": intercept(toClient, toAgent),
  };
  return createProxy({
    info: { name: "mapPaths", version: MIDDLEWARE_VERSION },
    fromClient,
    fromAgent,
    versions: [v2({ fromClient, fromAgent })],
  });
}

/**
 * The members of the protocol that are paths, that are URIs, and that are lists of paths. No other member has such a
 * name, except in the members of {@link foreignMembers}.
 */
export const pathMembers: ReadonlySet<string> = new Set(["cwd", "path", "oldPath", "targetPath"]);
export const uriMembers: ReadonlySet<string> = new Set(["uri"]);
export const pathListMembers: ReadonlySet<string> = new Set(["additionalDirectories"]);

/** Members whose contents are not defined by the protocol. */
export const foreignMembers: ReadonlySet<string> = new Set(["_meta", "rawInput", "rawOutput", "requestedSchema"]);

/** Returns a value with mapped paths, or the same value if it has none. */
export function mapped(value: unknown, pairs: readonly PathPair[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, pairs));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const changes: Record<string, unknown> = {};
  const { format, text } = value as { readonly format?: unknown; readonly text?: unknown };
  if (format === "git_patch" && typeof text === "string") return { ...value, text: mapGitPatch(text, pairs) };
  for (const [name, member] of Object.entries(value)) {
    const changed = foreignMembers.has(name) ? member : mappedMember(name, member, pairs);
    if (changed !== member) changes[name] = changed;
  }
  return Object.keys(changes).length === 0 ? value : { ...value, ...changes };
}

function mappedMember(name: string, member: unknown, pairs: readonly PathPair[]): unknown {
  if (typeof member === "string") {
    if (pathMembers.has(name)) return mapPath(member, pairs);
    return uriMembers.has(name) ? mapUri(member, pairs) : member;
  }
  if (pathListMembers.has(name) && Array.isArray(member))
    return member.map((item) => (typeof item === "string" ? mapPath(item, pairs) : item));
  return mapped(member, pairs);
}
