import { additionalDirectoriesClientChecks } from "../areas/additional-directories/client.js";
import { authenticationClientChecks } from "../areas/authentication/client.js";
import { cancellationClientChecks } from "../areas/cancellation/client.js";
import { capabilitiesClientChecks } from "../areas/capabilities/client.js";
import { compactionClientChecks } from "../areas/compaction/client.js";
import { configOptionsClientChecks } from "../areas/config-options/client.js";
import { contentBlocksClientChecks } from "../areas/content-blocks/client.js";
import { decodingClientChecks } from "../areas/decoding/client.js";
import { elicitationClientChecks } from "../areas/elicitation/client.js";
import { errorsClientChecks } from "../areas/errors/client.js";
import { extensibilityClientChecks } from "../areas/extensibility/client.js";
import { fileSystemClientChecks } from "../areas/file-system/client.js";
import { initializeClientChecks } from "../areas/initialize/client.js";
import { jsonRpcClientChecks } from "../areas/json-rpc/client.js";
import { mcpServersClientChecks } from "../areas/mcp-servers/client.js";
import { modesClientChecks } from "../areas/modes/client.js";
import { noticesClientChecks } from "../areas/notices/client.js";
import { permissionsClientChecks } from "../areas/permissions/client.js";
import { promptTurnClientChecks } from "../areas/prompt-turn/client.js";
import { sessionListClientChecks } from "../areas/session-list/client.js";
import { sessionUpdateClientChecks } from "../areas/session-update/client.js";
import { sessionsClientChecks } from "../areas/sessions/client.js";
import { terminalsClientChecks } from "../areas/terminals/client.js";
import { toolCallsClientChecks } from "../areas/tool-calls/client.js";
import { transportClientChecks } from "../areas/transport/client.js";
import { inOrderOf } from "../in-order-of.js";
import type { Scenario, Watch } from "../scenario.js";
import type { ClientCheck } from "./checks.js";
import type { ClientScenarioContext } from "./client-context.js";

const checks: readonly ClientCheck[] = [
  ...initializeClientChecks,
  ...authenticationClientChecks,
  ...jsonRpcClientChecks,
  ...transportClientChecks,
  ...errorsClientChecks,
  ...extensibilityClientChecks,
  ...capabilitiesClientChecks,
  ...sessionsClientChecks,
  ...additionalDirectoriesClientChecks,
  ...mcpServersClientChecks,
  ...sessionListClientChecks,
  ...promptTurnClientChecks,
  ...sessionUpdateClientChecks,
  ...contentBlocksClientChecks,
  ...toolCallsClientChecks,
  ...cancellationClientChecks,
  ...permissionsClientChecks,
  ...fileSystemClientChecks,
  ...terminalsClientChecks,
  ...elicitationClientChecks,
  ...modesClientChecks,
  ...configOptionsClientChecks,
  ...noticesClientChecks,
  ...compactionClientChecks,
  ...decodingClientChecks,
];

/** The first parts of the checks' ids, in the order of the report. */
const groups = {
  scenarios: [
    "opening",
    "messages",
    "updates",
    "permissions",
    "cancellation",
    "files",
    "terminals",
    "elicitation",
    "endings",
  ],
  watches: ["lines", "envelope", "lifecycle", "gates", "schema", "payload"],
};

/** Every scenario for clients. */
export const clientScenarios: readonly Scenario<ClientScenarioContext>[] = inOrderOf(
  groups.scenarios,
  checks.filter((check) => check.kind === "scenario"),
);

/** Every watch for clients. */
export const clientWatches: readonly Watch[] = inOrderOf(
  groups.watches,
  checks.filter((check) => check.kind === "watch"),
);
