import {
  agentNotifications,
  agentRequests,
  clientNotifications,
  clientRequests,
  isKnownSessionUpdate,
} from "@acp-kit/types";
import { agentDecoders, agentGates, clientDecoders, clientGates } from "@acp-kit/types/decode";
import type { ProtocolVersion } from "./protocol-version.js";

export const version1: ProtocolVersion = {
  version: 1,
  requests: {
    client: agentRequests,
    // The protocol does not define the last two, but some agents call them: see `fileExtensions`.
    agent: { ...clientRequests, "fs/delete_file": {}, "fs/rename_file": {} },
  },
  notifications: { client: agentNotifications, agent: clientNotifications },
  isKnownUpdate: isKnownSessionUpdate as (update: never) => boolean,
  decoders: { client: clientDecoders, agent: agentDecoders },
  gates: { client: clientGates, agent: agentGates },
  capabilityMembers: { client: "clientCapabilities", agent: "agentCapabilities" },
  cancelledPrompt: { result: { stopReason: "cancelled" } },
};
