import { additionalDirectoriesAgentChecks } from "../areas/additional-directories/agent.js";
import { authenticationAgentChecks } from "../areas/authentication/agent.js";
import { cancellationAgentChecks } from "../areas/cancellation/agent.js";
import { capabilitiesAgentChecks } from "../areas/capabilities/agent.js";
import { compactionAgentChecks } from "../areas/compaction/agent.js";
import { configOptionsAgentChecks } from "../areas/config-options/agent.js";
import { contentBlocksAgentChecks } from "../areas/content-blocks/agent.js";
import { elicitationAgentChecks } from "../areas/elicitation/agent.js";
import { errorsAgentChecks } from "../areas/errors/agent.js";
import { extensibilityAgentChecks } from "../areas/extensibility/agent.js";
import { fileSystemAgentChecks } from "../areas/file-system/agent.js";
import { initializeAgentChecks } from "../areas/initialize/agent.js";
import { jsonRpcAgentChecks } from "../areas/json-rpc/agent.js";
import { mcpServersAgentChecks } from "../areas/mcp-servers/agent.js";
import { messageIdsAgentChecks } from "../areas/message-ids/agent.js";
import { modesAgentChecks } from "../areas/modes/agent.js";
import { noticesAgentChecks } from "../areas/notices/agent.js";
import { permissionsAgentChecks } from "../areas/permissions/agent.js";
import { plansAgentChecks } from "../areas/plans/agent.js";
import { promptTurnAgentChecks } from "../areas/prompt-turn/agent.js";
import { sessionDeleteAgentChecks } from "../areas/session-delete/agent.js";
import { sessionInfoAgentChecks } from "../areas/session-info/agent.js";
import { sessionListAgentChecks } from "../areas/session-list/agent.js";
import { sessionUpdateAgentChecks } from "../areas/session-update/agent.js";
import { sessionsAgentChecks } from "../areas/sessions/agent.js";
import { slashCommandsAgentChecks } from "../areas/slash-commands/agent.js";
import { terminalsAgentChecks } from "../areas/terminals/agent.js";
import { toolCallsAgentChecks } from "../areas/tool-calls/agent.js";
import { transportAgentChecks } from "../areas/transport/agent.js";
import { usageAgentChecks } from "../areas/usage/agent.js";
import { inOrderOf } from "../in-order-of.js";
import type { Watch } from "../scenario.js";
import type { AgentCheck, AgentScenario } from "./agent-scenario.js";

const checks: readonly AgentCheck[] = [
  ...initializeAgentChecks,
  ...authenticationAgentChecks,
  ...transportAgentChecks,
  ...jsonRpcAgentChecks,
  ...errorsAgentChecks,
  ...capabilitiesAgentChecks,
  ...sessionsAgentChecks,
  ...additionalDirectoriesAgentChecks,
  ...mcpServersAgentChecks,
  ...sessionListAgentChecks,
  ...sessionDeleteAgentChecks,
  ...promptTurnAgentChecks,
  ...sessionUpdateAgentChecks,
  ...messageIdsAgentChecks,
  ...contentBlocksAgentChecks,
  ...toolCallsAgentChecks,
  ...cancellationAgentChecks,
  ...permissionsAgentChecks,
  ...fileSystemAgentChecks,
  ...terminalsAgentChecks,
  ...elicitationAgentChecks,
  ...modesAgentChecks,
  ...configOptionsAgentChecks,
  ...plansAgentChecks,
  ...slashCommandsAgentChecks,
  ...sessionInfoAgentChecks,
  ...usageAgentChecks,
  ...noticesAgentChecks,
  ...compactionAgentChecks,
  ...extensibilityAgentChecks,
];

/** The first parts of the scenarios' ids, in the order of the report. */
const groups = [
  "initialize",
  "json-rpc",
  "transport",
  "capabilities",
  "session",
  "prompt",
  "cancel",
  "permission",
  "files",
  "terminals",
  "elicitation",
  "modes",
  "options",
  "tour",
];

/** Every scenario for agents. */
export const agentScenarios: readonly AgentScenario[] = inOrderOf(
  groups,
  checks.filter((check) => check.kind === "scenario"),
);

/** Every watch for agents. */
export const agentWatches: readonly Watch[] = checks.filter((check) => check.kind === "watch");
