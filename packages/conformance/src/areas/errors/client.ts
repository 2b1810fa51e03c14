import { type ClientCheck, clientScenario, clientWatch } from "../../client/checks.js";
import { isObject, shown } from "../../wire/values.js";

const defined: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002]);

/** The checks of clients: errors. */
export const errorsClientChecks: readonly ClientCheck[] = [
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
  clientWatch({
    id: "envelope/error-object",
    title: "An error has a code and a message",
    verifies: ["ERR-01"],
    judge: (event) => {
      if (event.kind !== "response" || !("error" in event.message)) return undefined;
      const { error } = event.message;
      if (isObject(error) && Number.isInteger(error.code) && typeof error.message === "string") return "fine";
      return { received: shown(event.message) };
    },
  }),
  clientWatch({
    id: "envelope/error-code",
    title: "Custom error codes are outside the reserved ranges",
    verifies: ["ERR-04"],
    judge: (event) => {
      if (event.kind !== "response" || !isObject(event.message.error)) return undefined;
      const { code } = event.message.error;
      if (typeof code !== "number") return undefined;
      const taken = (code >= -32768 && code <= -32000) || (code >= -32899 && code <= -32800);
      if (!taken || defined.has(code)) return "fine";
      return {
        received: shown(event.message),
        explanation: `The code ${code} is in a reserved range, and the protocol does not define it.`,
      };
    },
  }),
];
