import type { Scenario, Watch } from "../scenario.js";
import { clientWatch } from "./checks.js";
import type { ClientScenarioContext } from "./client-context.js";
import { cancellationScenarios } from "./scenarios/cancellation.js";
import { elicitationScenarios } from "./scenarios/elicitation.js";
import { endingScenarios } from "./scenarios/endings.js";
import { fileScenarios } from "./scenarios/files.js";
import { framingScenarios } from "./scenarios/framing.js";
import { idScenarios } from "./scenarios/ids.js";
import { malformedMessageScenarios } from "./scenarios/malformed-messages.js";
import { methodScenarios } from "./scenarios/methods.js";
import { openingScenarios } from "./scenarios/opening.js";
import { permissionScenarios } from "./scenarios/permissions.js";
import { savedSessionScenarios } from "./scenarios/saved-sessions.js";
import { terminalScenarios } from "./scenarios/terminals.js";
import { unsolicitedMessageScenarios } from "./scenarios/unsolicited-messages.js";
import { updateScenarios } from "./scenarios/updates.js";
import { envelopeRules, lineRules } from "./watches/envelopes.js";
import { gateRules } from "./watches/gates.js";
import { lifecycleRules } from "./watches/lifecycle.js";
import { payloadRules, schemaRules } from "./watches/payloads.js";

/** Every scenario for clients, in the order of the report. */
export const clientScenarios: readonly Scenario<ClientScenarioContext>[] = [
  ...openingScenarios,
  ...savedSessionScenarios,
  ...idScenarios,
  ...methodScenarios,
  ...unsolicitedMessageScenarios,
  ...malformedMessageScenarios,
  ...framingScenarios,
  ...updateScenarios,
  ...permissionScenarios,
  ...cancellationScenarios,
  ...fileScenarios,
  ...terminalScenarios,
  ...elicitationScenarios,
  ...endingScenarios,
];

/** Every watch for clients. */
export const clientWatches: readonly Watch[] = [
  ...lineRules,
  ...envelopeRules,
  ...lifecycleRules,
  ...gateRules,
  ...schemaRules,
  ...payloadRules,
].map(clientWatch);
