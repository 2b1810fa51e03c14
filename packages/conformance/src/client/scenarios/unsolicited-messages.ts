import type { Scenario } from "../../scenario.js";
import type { ClientScenarioContext } from "../client-context.js";
import { survives } from "../survives.js";

/** Scenarios about notifications, responses and cancellations that match no request or session. */
export const unsolicitedMessageScenarios: readonly Scenario<ClientScenarioContext>[] = [
  survives(
    "messages/unknown-notification",
    "Unknown notifications are ignored and get no response",
    ["RPC-16", "EXT-06", "CANCEL-17", "RPC-05"],
    "unknown notifications",
    (turn) => {
      turn.agent.notify("no/such", {});
      turn.agent.notify("_acp-kit.test/unknown", { any: "thing" });
      turn.agent.notify("$/unknown", {});
    },
  ),
  survives(
    "messages/malformed-notification",
    "A malformed notification gets no response",
    ["RPC-05"],
    "malformed notifications",
    (turn) => {
      turn.agent.notify("session/update", {});
      turn.agent.notify("session/update", { sessionId: 5, update: "none" });
      turn.agent.wire.send({ method: "session/update" });
    },
  ),
  survives(
    "messages/unknown-response",
    "A response without a request is dropped",
    ["RPC-17"],
    "responses to requests that were never sent",
    (turn) => {
      turn.agent.wire.send({ id: "ghost", result: {} });
      turn.agent.wire.send({ id: 987_654, error: { code: -32603, message: "What?" } });
      turn.agent.wire.send({ id: null, error: { code: -32700, message: "Parse error" } });
    },
  ),
  survives(
    "messages/cancel-of-nothing",
    "The client ignores $/cancel_request for a request that is unknown or has its response already",
    ["CANCEL-20", "CANCEL-17"],
    "`$/cancel_request` without a matching request",
    async (turn) => {
      turn.agent.notify("$/cancel_request", { requestId: 999_999 });
      turn.agent.notify("$/cancel_request", { requestId: "no such" });
      await turn.agent.tryRequest("_acp-kit.test/done", {}, "done");
      turn.agent.notify("$/cancel_request", { requestId: "done" });
    },
  ),
];
