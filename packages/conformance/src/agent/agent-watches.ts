import type { Watch } from "../scenario.js";
import { capabilityWatches } from "./watches/capabilities.js";
import { clientPathWatches } from "./watches/client-paths.js";
import { compactionWatches } from "./watches/compaction.js";
import { elicitationWatches } from "./watches/elicitation.js";
import { envelopeWatches } from "./watches/envelope.js";
import { membersWatches } from "./watches/members.js";
import { schemaWatches } from "./watches/schema.js";
import { sessionStateWatches } from "./watches/session-state.js";
import { terminalWatches } from "./watches/terminals.js";
import { toolCallWatches } from "./watches/tool-calls.js";
import { turnOrderWatches } from "./watches/turn-order.js";

/** Every watch for agents. */
export const agentWatches: readonly Watch[] = [
  ...envelopeWatches,
  ...schemaWatches,
  ...capabilityWatches,
  ...turnOrderWatches,
  ...toolCallWatches,
  ...terminalWatches,
  ...sessionStateWatches,
  ...compactionWatches,
  ...clientPathWatches,
  ...elicitationWatches,
  ...membersWatches,
];
