import {
  agentNotifications,
  agentRequests,
  clientNotifications,
  clientRequests,
  isKnownSessionUpdate,
} from "@acp-kit/types/v2";
import { agentDecoders, agentGates, clientDecoders, clientGates } from "@acp-kit/types/v2/decode";
import type { ProtocolVersion } from "../hop/protocol-version.js";

export const version2: ProtocolVersion = {
  version: 2,
  requests: { client: agentRequests, agent: clientRequests },
  notifications: { client: agentNotifications, agent: clientNotifications },
  isKnownUpdate: isKnownSessionUpdate as (update: never) => boolean,
  decoders: { client: clientDecoders, agent: agentDecoders },
  gates: { client: clientGates, agent: agentGates },
  capabilityMembers: { client: "capabilities", agent: "capabilities" },
  cancelledPrompt: undefined,
};
