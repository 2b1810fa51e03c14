import type { AgentScenario } from "./agent-scenario.js";
import { cancellationScenarios } from "./scenarios/cancellation.js";
import { capabilityScenarios } from "./scenarios/capabilities.js";
import { clientServiceScenarios } from "./scenarios/client-services.js";
import { initializeScenarios } from "./scenarios/initialize.js";
import { jsonRpcScenarios } from "./scenarios/json-rpc.js";
import { modeAndOptionScenarios } from "./scenarios/modes-and-options.js";
import { promptTurnScenarios } from "./scenarios/prompt-turn.js";
import { sessionScenarios } from "./scenarios/sessions.js";
import { tourScenarios } from "./scenarios/tour.js";
import { transportScenarios } from "./scenarios/transport.js";

/** Every scenario for agents. */
export const agentScenarios: readonly AgentScenario[] = [
  ...initializeScenarios,
  ...jsonRpcScenarios,
  ...transportScenarios,
  ...capabilityScenarios,
  ...sessionScenarios,
  ...promptTurnScenarios,
  ...cancellationScenarios,
  ...clientServiceScenarios,
  ...modeAndOptionScenarios,
  ...tourScenarios,
];
