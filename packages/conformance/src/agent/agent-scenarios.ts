import type { AgentScenario } from "./agent-scenario.js";
import { cancellationScenarios } from "./scenarios/cancellation.js";
import { capabilityScenarios } from "./scenarios/capabilities.js";
import { closeAndDeleteScenarios } from "./scenarios/close-and-delete.js";
import { elicitationScenarios } from "./scenarios/elicitation.js";
import { fileScenarios } from "./scenarios/files.js";
import { initializeScenarios } from "./scenarios/initialize.js";
import { jsonRpcScenarios } from "./scenarios/json-rpc.js";
import { loadAndResumeScenarios } from "./scenarios/load-and-resume.js";
import { mcpServerScenarios } from "./scenarios/mcp-servers.js";
import { modeAndOptionScenarios } from "./scenarios/modes-and-options.js";
import { newSessionScenarios } from "./scenarios/new-sessions.js";
import { permissionScenarios } from "./scenarios/permissions.js";
import { promptTurnScenarios } from "./scenarios/prompt-turn.js";
import { sessionListScenarios } from "./scenarios/session-list.js";
import { terminalScenarios } from "./scenarios/terminals.js";
import { tourScenarios } from "./scenarios/tour.js";
import { transportScenarios } from "./scenarios/transport.js";

/** Every scenario for agents. */
export const agentScenarios: readonly AgentScenario[] = [
  ...initializeScenarios,
  ...jsonRpcScenarios,
  ...transportScenarios,
  ...capabilityScenarios,
  ...newSessionScenarios,
  ...loadAndResumeScenarios,
  ...closeAndDeleteScenarios,
  ...sessionListScenarios,
  ...mcpServerScenarios,
  ...promptTurnScenarios,
  ...cancellationScenarios,
  ...permissionScenarios,
  ...fileScenarios,
  ...terminalScenarios,
  ...elicitationScenarios,
  ...modeAndOptionScenarios,
  ...tourScenarios,
];
