import type { Mutant, WrongAgent } from "./mutations.js";
import { additionalDirectoriesWrongAgents } from "./wrong-agents/additional-directories.js";
import { authenticationWrongAgents } from "./wrong-agents/authentication.js";
import { cancellationWrongAgents } from "./wrong-agents/cancellation.js";
import { capabilitiesWrongAgents } from "./wrong-agents/capabilities.js";
import { compactionWrongAgents } from "./wrong-agents/compaction.js";
import { configOptionsWrongAgents } from "./wrong-agents/config-options.js";
import { contentBlocksWrongAgents } from "./wrong-agents/content-blocks.js";
import { elicitationWrongAgents } from "./wrong-agents/elicitation.js";
import { errorsWrongAgents } from "./wrong-agents/errors.js";
import { extensibilityWrongAgents } from "./wrong-agents/extensibility.js";
import { fileSystemWrongAgents } from "./wrong-agents/file-system.js";
import { initializeWrongAgents } from "./wrong-agents/initialize.js";
import { jsonRpcWrongAgents } from "./wrong-agents/json-rpc.js";
import { mcpServersWrongAgents } from "./wrong-agents/mcp-servers.js";
import { messageIdsWrongAgents } from "./wrong-agents/message-ids.js";
import { modesWrongAgents } from "./wrong-agents/modes.js";
import { noticesWrongAgents } from "./wrong-agents/notices.js";
import { permissionsWrongAgents } from "./wrong-agents/permissions.js";
import { plansWrongAgents } from "./wrong-agents/plans.js";
import { promptTurnWrongAgents } from "./wrong-agents/prompt-turn.js";
import { sessionDeleteWrongAgents } from "./wrong-agents/session-delete.js";
import { sessionInfoWrongAgents } from "./wrong-agents/session-info.js";
import { sessionListWrongAgents } from "./wrong-agents/session-list.js";
import { sessionUpdateWrongAgents } from "./wrong-agents/session-update.js";
import { sessionsWrongAgents } from "./wrong-agents/sessions.js";
import { slashCommandsWrongAgents } from "./wrong-agents/slash-commands.js";
import { terminalsWrongAgents } from "./wrong-agents/terminals.js";
import { toolCallsWrongAgents } from "./wrong-agents/tool-calls.js";
import { transportWrongAgents } from "./wrong-agents/transport.js";
import { usageWrongAgents } from "./wrong-agents/usage.js";

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
