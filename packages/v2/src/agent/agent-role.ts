import type { PeerRole, V1AgentCalls } from "@acp-kit/protocol";
import { v1Agent } from "@acp-kit/protocol";
import { v2Agent } from "@acp-kit/protocol/v2";
import type * as v1 from "@acp-kit/types";
import { decodeInitializeRequest } from "@acp-kit/types/decode";
import type * as v2 from "@acp-kit/types/v2";
import { decodeResumeSessionRequest } from "@acp-kit/types/v2/decode";
import { elicitationAnswerToV1, elicitationToV2 } from "../codec/elicitation.js";
import type { Lost } from "../codec/loss.js";
import { permissionTitle } from "../codec/permission.js";
import { toolCallToV2 } from "../codec/tool-call.js";

/**
 * Creates the role of an agent that sends its requests in the form of version 1. Its handlers are registered in the
 * form of version 2.
 */
export function agentRole(lost: Lost): PeerRole<V1AgentCalls> {
  return {
    side: "agent",
    protocolVersion: v2Agent.protocolVersion,
    calls: v1Agent.calls,
    decoders: {
      ...v2Agent.decoders,
      // A repeated request can be one of another version. Its handler reads the params.
      params: {
        ...v2Agent.decoders.params,
        initialize: decodeInitializeRequest,
        "session/fork": decodeResumeSessionRequest, // not stable; its params are the same
      },
    },
    wire: {
      calls: {
        "session/request_permission": {
          params: ({ toolCall, ...params }: v1.RequestPermissionRequest): v2.RequestPermissionRequest => ({
            ...params,
            title: permissionTitle(toolCall as v1.IncomingToolCallUpdate, undefined),
            subject: { type: "tool_call", toolCall: toolCallToV2(toolCall as v1.IncomingToolCallUpdate, lost, true) },
          }),
        },
        "elicitation/create": {
          params: elicitationToV2,
          result: (result: v2.IncomingCreateElicitationResponse) => elicitationAnswerToV1(result, lost),
        },
      },
      handlers: {},
    },
  };
}
