import { isAnyError } from "../../response-matchers.js";
import type { Scenario } from "../../scenario.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";
import { survives } from "../survives.js";

/** Scenarios about lines and values that are not valid messages. */
export const malformedMessageScenarios: readonly Scenario<ClientScenarioContext>[] = [
  survives(
    "messages/not-json",
    "A line that is not JSON is ignored, or gets the error -32700; the connection stays open",
    ["RPC-13"],
    "a line that is not JSON",
    (turn) => {
      turn.agent.wire.sendText("Loading the model…\n", "a banner, as some agents print");
      turn.agent.wire.sendText('{"jsonrpc":"2.0","id":1,\n', "half a message");
    },
  ),
  survives(
    "messages/no-request-object",
    "JSON that is not a JSON-RPC message is ignored, or gets the error -32600; the connection stays open",
    ["RPC-14"],
    "JSON that is not a JSON-RPC message",
    (turn) => {
      for (const line of [
        "42",
        '"text"',
        "{}",
        "null",
        '{"jsonrpc":"1.0","method":"session/update"}',
        '{"jsonrpc":"2.0","id":{},"method":"_x"}',
      ]) {
        turn.agent.wire.sendText(`${line}\n`, "JSON that is not a JSON-RPC message");
      }
    },
  ),
  survives("messages/batch", "A batch doesn't end the connection", ["RPC-12"], "a batch", (turn) => {
    turn.agent.wire.sendText('[{"jsonrpc":"2.0","method":"_acp-kit.test/in-a-batch","params":{}}]\n', "a batch");
  }),
  clientScenario({
    id: "messages/positional-params",
    title: "Positional params are refused",
    verifies: ["WIRE-04", "RPC-10"],
    run: async (context) => {
      const turn = await context.turn();
      const params = [turn.sessionId, {}, []];
      const sent = "`session/request_permission` with positional params";
      const response = await turn.agent.request("session/request_permission", params, sent);
      context.expect("WIRE-04", response, isAnyError, {
        sent,
        explanation: "ACP has no positional params: the request gets the error -32602 or -32600.",
      });
    },
  }),
  clientScenario({
    id: "messages/error-object-of-any-code",
    title: "An error with an unknown code ends the turn, like any other error",
    verifies: ["ERR-03", "ERR-09"],
    run: async (context) => {
      const turn = await context.turn();
      turn.agent.refuse(turn.call, 1234, "Something of our own", [{ any: "data" }]);
      turn.agent.turns.delete(turn);
      await context.settles("ERR-03", "the error code 1234 for the prompt");
    },
  }),
  clientScenario({
    id: "messages/errors-keep-the-connection",
    title: "Requests that fail don't end the connection",
    verifies: ["ERR-08"],
    run: async (context) => {
      const turn = await context.turn();
      await turn.request("fs/read_text_file", { path: 5 });
      await turn.request("session/request_permission", { options: 5 });
      await context.survived(turn, "ERR-08", "requests that must fail");
    },
  }),
];
