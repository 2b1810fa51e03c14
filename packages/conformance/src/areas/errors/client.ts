import { type ClientCheck, clientWatch, turnScenario } from "../../client/checks.js";
import { isObject, shown } from "../../wire/values.js";

const defined: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002]);

/** The checks of clients: errors. */
export const errorsClientChecks: readonly ClientCheck[] = [
  turnScenario("messages/error-object-of-any-code", ["ERR-03", "ERR-09"], {
    title: "An error with an unknown code ends the turn, like any other error",
    run: async (context, turn) => {
      turn.agent.refuse(turn.call, 1234, "Something of our own", [{ any: "data" }]);
      turn.agent.turns.delete(turn);
      await context.settles("ERR-03", "the error code 1234 for the prompt");
    },
  }),
  turnScenario("messages/errors-keep-the-connection", ["ERR-08"], {
    title: "Requests that fail don't end the connection",
    run: async (context, turn) => {
      await turn.request("fs/read_text_file", { path: 5 });
      await turn.request("session/request_permission", { options: 5 });
      await context.survived(turn, "ERR-08", "requests that must fail");
    },
  }),
  clientWatch("envelope/error-object", ["ERR-01"], {
    title: "An error has a code and a message",
    judge: (event) => {
      if (event.kind !== "response" || !("error" in event.message)) return undefined;
      const { error } = event.message;
      if (isObject(error) && Number.isInteger(error.code) && typeof error.message === "string") return "fine";
      return { received: shown(event.message) };
    },
  }),
  clientWatch("envelope/error-code", ["ERR-04"], {
    title: "Custom error codes are outside the reserved ranges",
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
