import { additionalDirectoriesRules } from "../areas/additional-directories/rules.js";
import { authenticationRules } from "../areas/authentication/rules.js";
import { cancellationRules } from "../areas/cancellation/rules.js";
import { capabilitiesRules } from "../areas/capabilities/rules.js";
import { compactionRules } from "../areas/compaction/rules.js";
import { configOptionsRules } from "../areas/config-options/rules.js";
import { contentBlocksRules } from "../areas/content-blocks/rules.js";
import { decodingRules } from "../areas/decoding/rules.js";
import { elicitationRules } from "../areas/elicitation/rules.js";
import { errorsRules } from "../areas/errors/rules.js";
import { extensibilityRules } from "../areas/extensibility/rules.js";
import { fileSystemRules } from "../areas/file-system/rules.js";
import { initializeRules } from "../areas/initialize/rules.js";
import { jsonRpcRules } from "../areas/json-rpc/rules.js";
import { mcpServersRules } from "../areas/mcp-servers/rules.js";
import { messageIdsRules } from "../areas/message-ids/rules.js";
import { modesRules } from "../areas/modes/rules.js";
import { noticesRules } from "../areas/notices/rules.js";
import { permissionsRules } from "../areas/permissions/rules.js";
import { plansRules } from "../areas/plans/rules.js";
import { promptTurnRules } from "../areas/prompt-turn/rules.js";
import { sessionDeleteRules } from "../areas/session-delete/rules.js";
import { sessionInfoRules } from "../areas/session-info/rules.js";
import { sessionListRules } from "../areas/session-list/rules.js";
import { sessionUpdateRules } from "../areas/session-update/rules.js";
import { sessionsRules } from "../areas/sessions/rules.js";
import { slashCommandsRules } from "../areas/slash-commands/rules.js";
import { terminalsRules } from "../areas/terminals/rules.js";
import { toolCallsRules } from "../areas/tool-calls/rules.js";
import { transportRules } from "../areas/transport/rules.js";
import { usageRules } from "../areas/usage/rules.js";
import type { Requirement } from "./requirement.js";

/**
 * Every rule of protocol version 1 for agents or clients, as data, in the order of the protocol's own pages.
 *
 * The wording is this package's. An id never changes its meaning. If the protocol drops a rule, the rule is
 * removed from this list, and no other rule gets its id.
 */
export const requirements: readonly Requirement[] = [
  ...jsonRpcRules,
  ...transportRules,
  ...initializeRules,
  ...capabilitiesRules,
  ...authenticationRules,
  ...sessionsRules,
  ...additionalDirectoriesRules,
  ...mcpServersRules,
  ...sessionListRules,
  ...sessionInfoRules,
  ...sessionDeleteRules,
  ...promptTurnRules,
  ...sessionUpdateRules,
  ...messageIdsRules,
  ...contentBlocksRules,
  ...toolCallsRules,
  ...permissionsRules,
  ...plansRules,
  ...modesRules,
  ...configOptionsRules,
  ...slashCommandsRules,
  ...usageRules,
  ...noticesRules,
  ...compactionRules,
  ...fileSystemRules,
  ...terminalsRules,
  ...elicitationRules,
  ...cancellationRules,
  ...errorsRules,
  ...extensibilityRules,
  ...decodingRules,
];
