import type { Requirement } from "./requirement.js";
import { additionalDirectoriesRequirements } from "./v1/additional-directories.js";
import { authenticationRequirements } from "./v1/authentication.js";
import { cancellationRequirements } from "./v1/cancellation.js";
import { capabilitiesRequirements } from "./v1/capabilities.js";
import { compactionRequirements } from "./v1/compaction.js";
import { configOptionsRequirements } from "./v1/config-options.js";
import { contentBlocksRequirements } from "./v1/content-blocks.js";
import { decodingRequirements } from "./v1/decoding.js";
import { elicitationRequirements } from "./v1/elicitation.js";
import { errorsRequirements } from "./v1/errors.js";
import { extensibilityRequirements } from "./v1/extensibility.js";
import { fileSystemRequirements } from "./v1/file-system.js";
import { initializeRequirements } from "./v1/initialize.js";
import { jsonRpcRequirements } from "./v1/json-rpc.js";
import { mcpServersRequirements } from "./v1/mcp-servers.js";
import { messageIdsRequirements } from "./v1/message-ids.js";
import { modesRequirements } from "./v1/modes.js";
import { noticesRequirements } from "./v1/notices.js";
import { permissionsRequirements } from "./v1/permissions.js";
import { plansRequirements } from "./v1/plans.js";
import { promptTurnRequirements } from "./v1/prompt-turn.js";
import { sessionDeleteRequirements } from "./v1/session-delete.js";
import { sessionInfoRequirements } from "./v1/session-info.js";
import { sessionListRequirements } from "./v1/session-list.js";
import { sessionUpdateRequirements } from "./v1/session-update.js";
import { sessionsRequirements } from "./v1/sessions.js";
import { slashCommandsRequirements } from "./v1/slash-commands.js";
import { terminalsRequirements } from "./v1/terminals.js";
import { toolCallsRequirements } from "./v1/tool-calls.js";
import { transportRequirements } from "./v1/transport.js";
import { usageRequirements } from "./v1/usage.js";

/**
 * Every rule of protocol version 1 for agents or clients, as data, in the order of the protocol's own pages.
 *
 * The wording is this package's. An id never changes its meaning. If the protocol drops a rule, the rule is
 * removed from this list, and no other rule gets its id.
 */
export const requirements: readonly Requirement[] = [
  ...jsonRpcRequirements,
  ...transportRequirements,
  ...initializeRequirements,
  ...capabilitiesRequirements,
  ...authenticationRequirements,
  ...sessionsRequirements,
  ...additionalDirectoriesRequirements,
  ...mcpServersRequirements,
  ...sessionListRequirements,
  ...sessionInfoRequirements,
  ...sessionDeleteRequirements,
  ...promptTurnRequirements,
  ...sessionUpdateRequirements,
  ...messageIdsRequirements,
  ...contentBlocksRequirements,
  ...toolCallsRequirements,
  ...permissionsRequirements,
  ...plansRequirements,
  ...modesRequirements,
  ...configOptionsRequirements,
  ...slashCommandsRequirements,
  ...usageRequirements,
  ...noticesRequirements,
  ...compactionRequirements,
  ...fileSystemRequirements,
  ...terminalsRequirements,
  ...elicitationRequirements,
  ...cancellationRequirements,
  ...errorsRequirements,
  ...extensibilityRequirements,
  ...decodingRequirements,
];
