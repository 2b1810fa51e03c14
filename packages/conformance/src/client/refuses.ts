import { isError } from "../response-matchers.js";
import type { Scenario } from "../scenario.js";
import { type Json, shown } from "../wire/values.js";
import { clientScenario } from "./checks.js";
import type { ClientScenarioContext } from "./client-context.js";

/** Creates a scenario that sends a request, and checks that the client responds with the error code `code`. */
export function refuses(
  id: string,
  title: string,
  verifies: readonly string[],
  method: string,
  params: Json,
  code: number,
  needs?: (context: ClientScenarioContext) => void,
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      needs?.(context);
      const turn = await context.turn();
      const response = await turn.request(method, params);
      context.expect(verifies[0] ?? "", response, isError(code), {
        sent: `\`${method}\` with ${shown(params)}`,
        explanation: `The response is an error with the code ${code}.`,
      });
    },
  });
}
