import { RpcError } from "@acp-kit/jsonrpc";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import { type AcpProxy, createProxy } from "../create-proxy.js";
import { v2 } from "../v2/index.js";
import { rejectedOutcome } from "./permission-outcome.js";
import { permissionToV1 } from "./permission-to-v1.js";
import { MIDDLEWARE_VERSION } from "./version.js";

/** Options of {@link hideTools}. */
export interface HideToolsOptions {
  /** Withholds the client's files: `"write"` only writing, `true` also reading. */
  readonly files?: "write" | true;
  /** Withholds the client's terminals. */
  readonly terminals?: boolean;
  /** The MCP servers that agents don't get: their names, or a function that returns `true` for such a server. */
  readonly mcpServers?: readonly string[] | ((server: { readonly name: string }) => boolean);
  /**
   * The tool calls that are rejected when the agent requests a permission: the names of the tools
   * (`toolCall.name`), or a function that returns `true` for such a request.
   */
  readonly calls?: readonly string[] | ((request: IncomingRequestPermissionRequest) => boolean);
}

const optionKinds: OptionKinds<HideToolsOptions> = {
  files: "value",
  terminals: "value",
  mcpServers: "value",
  calls: "value",
};

/**
 * Creates an ACP proxy that withholds tools from agents: files and terminals of the client, MCP servers, and single
 * tools by rejecting their permission requests.
 *
 * It can't remove the built-in tools of an agent: a proxy governs only what crosses ACP, and an agent may use its own
 * tools without a request.
 *
 * @throws {InvalidOptionError} when an option is invalid.
 */
export function hideTools(options: HideToolsOptions): AcpProxy {
  checkOptions("hideTools", options, optionKinds);
  const { files, terminals, mcpServers, calls } = options;
  const isHidden = Array.isArray(mcpServers)
    ? ({ name }: { readonly name: string }) => mcpServers.includes(name)
    : (mcpServers as ((server: { readonly name: string }) => boolean) | undefined);
  const isRejected = Array.isArray(calls)
    ? ({ toolCall }: IncomingRequestPermissionRequest) => calls.includes((toolCall as { name?: unknown }).name)
    : (calls as ((request: IncomingRequestPermissionRequest) => boolean) | undefined);
  const without = <Params extends object>(params: Params): Params => {
    const { mcpServers: servers } = params as { readonly mcpServers?: readonly { readonly name: string }[] | null };
    if (isHidden === undefined || !servers?.some(isHidden)) return params;
    return { ...params, mcpServers: servers.filter((server) => !isHidden(server)) };
  };
  const refused = (): never => {
    throw new RpcError(-32601, "The client does not offer this to agents");
  };
  return createProxy({
    info: { name: "hideTools", version: MIDDLEWARE_VERSION },
    clientCapabilities: (capabilities) => ({
      ...capabilities,
      ...(files !== undefined && {
        fs: files === "write" && capabilities.fs?.readTextFile ? { readTextFile: true } : {},
      }),
      ...(terminals && { terminal: false }),
    }),
    fromClient: {
      ...(isHidden !== undefined && {
        "session/new": ({ params }, next) => next(without(params)),
        "session/load": ({ params }, next) => next(without(params)),
        "session/resume": ({ params }, next) => next(without(params)),
      }),
    },
    fromAgent: {
      ...(files !== undefined && {
        "fs/write_text_file": refused,
        "fs/delete_file": refused,
        "fs/rename_file": refused,
        ...(files === true && { "fs/read_text_file": refused }),
      }),
      ...(terminals && {
        "terminal/create": refused,
        "terminal/output": refused,
        "terminal/wait_for_exit": refused,
        "terminal/kill": refused,
        "terminal/release": refused,
      }),
      ...(isRejected !== undefined && {
        "session/request_permission": ({ params }, next) =>
          isRejected(params) ? { outcome: rejectedOutcome(params.options) } : next(),
      }),
    },
    // In version 2 agents use no files and terminals of the client.
    versions: [
      v2({
        fromClient: {
          ...(isHidden !== undefined && {
            "session/new": ({ params }, next) => next(without(params)),
            "session/resume": ({ params }, next) => next(without(params)),
          }),
        },
        fromAgent: {
          ...(isRejected !== undefined && {
            "session/request_permission": ({ params }, next) => {
              const request = permissionToV1(params);
              return isRejected(request) ? { outcome: rejectedOutcome(request.options) } : next();
            },
          }),
        },
      }),
    ],
  });
}
