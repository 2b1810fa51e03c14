import { additionalDirectoriesWrongAgents } from "../src/areas/additional-directories/wrong-agents.js";
import { authenticationWrongAgents } from "../src/areas/authentication/wrong-agents.js";
import { cancellationWrongAgents } from "../src/areas/cancellation/wrong-agents.js";
import { capabilitiesWrongAgents } from "../src/areas/capabilities/wrong-agents.js";
import { compactionWrongAgents } from "../src/areas/compaction/wrong-agents.js";
import { configOptionsWrongAgents } from "../src/areas/config-options/wrong-agents.js";
import { contentBlocksWrongAgents } from "../src/areas/content-blocks/wrong-agents.js";
import { elicitationWrongAgents } from "../src/areas/elicitation/wrong-agents.js";
import { errorsWrongAgents } from "../src/areas/errors/wrong-agents.js";
import { extensibilityWrongAgents } from "../src/areas/extensibility/wrong-agents.js";
import { fileSystemWrongAgents } from "../src/areas/file-system/wrong-agents.js";
import { initializeWrongAgents } from "../src/areas/initialize/wrong-agents.js";
import { jsonRpcWrongAgents } from "../src/areas/json-rpc/wrong-agents.js";
import { mcpServersWrongAgents } from "../src/areas/mcp-servers/wrong-agents.js";
import { messageIdsWrongAgents } from "../src/areas/message-ids/wrong-agents.js";
import { modesWrongAgents } from "../src/areas/modes/wrong-agents.js";
import { noticesWrongAgents } from "../src/areas/notices/wrong-agents.js";
import { permissionsWrongAgents } from "../src/areas/permissions/wrong-agents.js";
import { plansWrongAgents } from "../src/areas/plans/wrong-agents.js";
import { promptTurnWrongAgents } from "../src/areas/prompt-turn/wrong-agents.js";
import { sessionDeleteWrongAgents } from "../src/areas/session-delete/wrong-agents.js";
import { sessionInfoWrongAgents } from "../src/areas/session-info/wrong-agents.js";
import { sessionListWrongAgents } from "../src/areas/session-list/wrong-agents.js";
import { sessionUpdateWrongAgents } from "../src/areas/session-update/wrong-agents.js";
import { sessionsWrongAgents } from "../src/areas/sessions/wrong-agents.js";
import { slashCommandsWrongAgents } from "../src/areas/slash-commands/wrong-agents.js";
import { terminalsWrongAgents } from "../src/areas/terminals/wrong-agents.js";
import { toolCallsWrongAgents } from "../src/areas/tool-calls/wrong-agents.js";
import { transportWrongAgents } from "../src/areas/transport/wrong-agents.js";
import { usageWrongAgents } from "../src/areas/usage/wrong-agents.js";
import type { Mutant, WrongAgent } from "./mutations.js";

const all: readonly (WrongAgent | Mutant)[] = [
  ...additionalDirectoriesWrongAgents,
  ...authenticationWrongAgents,
  ...cancellationWrongAgents,
  ...capabilitiesWrongAgents,
  ...compactionWrongAgents,
  ...configOptionsWrongAgents,
  ...contentBlocksWrongAgents,
  ...elicitationWrongAgents,
  ...errorsWrongAgents,
  ...extensibilityWrongAgents,
  ...fileSystemWrongAgents,
  ...initializeWrongAgents,
  ...jsonRpcWrongAgents,
  ...mcpServersWrongAgents,
  ...messageIdsWrongAgents,
  ...modesWrongAgents,
  ...noticesWrongAgents,
  ...permissionsWrongAgents,
  ...plansWrongAgents,
  ...promptTurnWrongAgents,
  ...sessionDeleteWrongAgents,
  ...sessionInfoWrongAgents,
  ...sessionListWrongAgents,
  ...sessionUpdateWrongAgents,
  ...sessionsWrongAgents,
  ...slashCommandsWrongAgents,
  ...terminalsWrongAgents,
  ...toolCallsWrongAgents,
  ...transportWrongAgents,
  ...usageWrongAgents,
];

/** One wrong agent for each scenario and each watch. */
export const wrongAgents: readonly WrongAgent[] = all.filter((each) => "fails" in each);

/** The mistakes that the kit once did not report, or reported only as advice. */
export const mutants: readonly Mutant[] = all.filter((each) => "rule" in each);
