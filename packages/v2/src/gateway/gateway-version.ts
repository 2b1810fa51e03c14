import type { GatewayVersion } from "@acp-kit/gateway";
import { JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import type * as v1 from "@acp-kit/types";
import { decodeInitializeResponse as decodeV1Result } from "@acp-kit/types/decode";
import type * as types from "@acp-kit/types/v2";
import { decodeInitializeResponse as decodeV2Result } from "@acp-kit/types/v2/decode";
import { initializeFromV1, initializeResultToV1, initializeResultToV2, isV2Result } from "../codec/initialize.js";
import { mcpServersToV1, mcpServersToV2 } from "../codec/mcp-servers.js";
import { PromptWork } from "./prompt-work.js";
import { ViewInV1 } from "./view-in-v1.js";
import { ViewInV2 } from "./view-in-v2.js";

/**
 * Version 2 of the protocol, for the option `versions` of `createGateway`. Agents and clients of the gateway then speak
 * version 1 or 2. The gateway offers both to its agents in one `initialize`, and the agent chooses.
 *
 * @see https://agentclientprotocol.com/protocol/v2/overview
 */
export const v2: GatewayVersion = {
  protocolVersion: 2,
  offer: (params) => initializeFromV1(params as v1.InitializeRequest, 2),
  isChosen: isV2Result,
  profile: (result, to) =>
    to === 1
      ? initializeResultToV1(decoded(decodeV2Result.try(result)))
      : initializeResultToV2(decoded(decodeV1Result.try(result))),
  servers: (servers, to) =>
    to === 1 ? mcpServersToV1(servers as types.IncomingMcpServer[]) : mcpServersToV2(servers as v1.IncomingMcpServer[]),
  work: () => new PromptWork(),
  view: (of, options) => (of === 1 ? new ViewInV1(options) : new ViewInV2(options)),
};

function decoded<Value>(result: { readonly ok: true; readonly value: Value } | { readonly ok: false }): Value {
  if (result.ok) return result.value;
  throw new RpcError(JsonRpcErrorCode.internalError, "The agent's result of initialize is not valid");
}
