import type { Watch } from "../scenario.js";
import { capabilityWatches } from "./watches/capabilities.js";
import { elicitationWatches } from "./watches/elicitation.js";
import { envelopeWatches } from "./watches/envelope.js";
import { membersWatches } from "./watches/members.js";
import { schemaWatches } from "./watches/schema.js";
import { sessionRuleWatches } from "./watches/session-rules.js";

/** Every watch for agents. */
export const agentWatches: readonly Watch[] = [
  ...envelopeWatches,
  ...schemaWatches,
  ...capabilityWatches,
  ...sessionRuleWatches,
  ...elicitationWatches,
  ...membersWatches,
];
