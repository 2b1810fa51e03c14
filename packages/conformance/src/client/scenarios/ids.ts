import type { Scenario } from "../../scenario.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";
import { show } from "../json.js";

/** Ids of requests that an agent may use. */
const ids: readonly unknown[] = [7, "7", "", 0, -1, "9007199254740993", "id with ü\u2028\u{1f9ea}"];

/** Scenarios about the ids of requests, and about many requests at once. */
export const idScenarios: readonly Scenario<ClientScenarioContext>[] = [
  clientScenario({
    id: "messages/ids-echoed",
    title: "A response has the id of its request, in value and in type",
    verifies: ["RPC-04"],
    run: async (context) => {
      const turn = await context.turn();
      for (const id of ids) {
        if (await turn.agent.tryRequest("_acp-kit.test/echo", {}, id)) continue;
        context.fail("RPC-04", { sent: `A request with the id ${show(id)}`, received: "No response with this id." });
      }
    },
  }),
  clientScenario({
    id: "messages/ids-of-each-side",
    title: "A request of the agent may have the same id as an open request of the client",
    verifies: ["RPC-08"],
    run: async (context) => {
      const turn = await context.turn();
      const response = await turn.agent.tryRequest("_acp-kit.test/echo", {}, turn.call.id);
      if (!response)
        turn.agent.failNoResponse(`a request with the id ${show(turn.call.id)}, which the open prompt has too`);
      await context.survived(turn, "RPC-08", "a request with the id of the open prompt");
    },
  }),
  clientScenario({
    id: "messages/many-requests",
    title: "Each of many open requests gets a response",
    verifies: ["RPC-09"],
    run: async (context) => {
      const turn = await context.turn();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => turn.agent.tryRequest("_acp-kit.test/one-of-many", {})),
      );
      const missing = responses.filter((response) => response === undefined).length;
      if (missing === 0) return;
      context.fail("RPC-09", { sent: "20 requests at once", received: `${missing} of them never got a response.` });
    },
  }),
];
