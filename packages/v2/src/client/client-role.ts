import { CapabilityError, type Diagnostic, type PeerRole, type V1ClientCalls } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import { agentGates, type Decoder } from "@acp-kit/types/decode";
import type * as v2 from "@acp-kit/types/v2";
import { clientDecoders } from "@acp-kit/types/v2/decode";
import { contentToV2 } from "../codec/content.js";
import { mcpServersToV2 } from "../codec/mcp-servers.js";
import { isObject } from "../codec/objects.js";
import { permissionOutcome } from "../codec/permission.js";
import { optionsToApi } from "./config-options.js";
import { openedToApi, permissionToApi } from "./to-api.js";

/** What the messages of a connection depend on. */
export interface RoleContext {
  /** The role of version 1, with the compatibility rules of the client. */
  readonly v1: PeerRole<V1ClientCalls>;
  readonly capabilities: v2.AgentCapabilities;
  readonly report: (diagnostic: Diagnostic) => void;
}

/**
 * Creates the role of a client of version 2 whose application uses the methods of version 1.
 *
 * @see https://agentclientprotocol.com/protocol/v2/overview
 */
export function createClientRole(context: RoleContext): PeerRole<V1ClientCalls> {
  const opening = (params: v1.NewSessionRequest): object => ({
    ...params,
    mcpServers: servers(params.mcpServers, context),
  });
  let permissions = 0;
  return {
    side: "client",
    protocolVersion: 2,
    calls: [agentGates],
    ordered: new Set(["session/prompt", "session/load", "session/resume"]),
    decoders: {
      params: clientDecoders.params,
      results: { ...clientDecoders.results, "session/prompt": promptResponse },
    },
    readError: context.v1.readError,
    wire: {
      calls: {
        authenticate: { method: "auth/login" },
        logout: { method: "auth/logout" },
        "session/new": { params: opening, result: openedToApi },
        "session/resume": { params: opening, result: openedToApi },
        "session/fork": { params: opening, result: openedToApi }, // not stable in either version
        "session/load": {
          method: "session/resume",
          params: (params: v1.LoadSessionRequest) => ({ ...opening(params), replayFrom: { type: "start" } }),
          result: openedToApi,
        },
        "session/prompt": { params: promptParams },
        "session/set_config_option": {
          params: (params: v1.SetSessionConfigOptionRequest) => ({ type: "id", ...params }),
          result: ({ configOptions, ...rest }: v2.IncomingSetSessionConfigOptionResponse) => ({
            ...rest,
            configOptions: optionsToApi(configOptions),
          }),
        },
        "session/set_mode": { params: noModes },
      },
      handlers: {
        "session/request_permission": {
          params: (params: v2.IncomingRequestPermissionRequest) => {
            permissions += 1;
            return permissionToApi(params, `_acp-kit_permission_${permissions}`);
          },
          result: ({ outcome, ...rest }: v1.RequestPermissionResponse, { options }: v1.RequestPermissionRequest) => ({
            ...rest,
            outcome: permissionOutcome(outcome, options),
          }),
        },
      },
    },
  };
}

function promptParams({ prompt, ...rest }: v1.PromptRequest): v2.PromptRequest {
  if (prompt.length === 0) throw new TypeError("session/prompt: version 2 of the protocol has no empty prompts");
  return { ...rest, prompt: prompt.map((block) => contentToV2(block, () => {})) };
}

/** Drafts of version 2 have no `messageId` in the response. */
const promptResponse: Decoder<unknown> = Object.assign(
  (value: unknown) => clientDecoders.results["session/prompt"](value),
  {
    try: (value: unknown) => {
      const decoder = clientDecoders.results["session/prompt"];
      const isDraft = isObject(value) && value.messageId === undefined;
      return isDraft ? ({ ok: true, value, salvaged: [] } as const) : decoder.try(value);
    },
    "~standard": clientDecoders.results["session/prompt"]["~standard"],
  },
) as Decoder<unknown>;

function noModes(): never {
  const message = "Version 2 of the protocol has no session/set_mode: set the option of the category mode";
  throw new CapabilityError("session/set_mode", "configOptions", message);
}

/** Converts MCP servers, without those that the agent can't start. */
function servers(all: readonly v1.McpServer[], { capabilities, report }: RoleContext): v2.McpServer[] {
  if (isObject(capabilities.session?.mcp?.stdio)) return mcpServersToV2(all);
  const isStdio = ({ type = "stdio" }: { readonly type?: string }): boolean => type === "stdio";
  for (const { name } of all.filter(isStdio)) {
    const capability = "capabilities.session.mcp.stdio";
    const message = `MCP server "${name}" was left out, because the agent starts no servers: it did not advertise ${capability}`;
    report({ code: "mcp_server_left_out", message, data: { name, type: "stdio", capability } });
  }
  return mcpServersToV2(all.filter((server) => !isStdio(server)));
}
