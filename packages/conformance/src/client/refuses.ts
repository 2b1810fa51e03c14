import { isRefusalWith } from "../response-matchers.js";
import { type Json, shown } from "../wire/values.js";
import { type ClientScenario, turnScenario } from "./checks.js";

/** Creates a scenario that sends a request, and checks that the client responds with the error code `code`. */
export function refuses(
  id: string,
  verifies: readonly [string, ...string[]],
  { title, method, params, code }: { title: string; method: string; params: Json; code: number },
): ClientScenario {
  return turnScenario(id, verifies, {
    title,
    async run(context, turn) {
      const response = await turn.request(method, params);
      context.expect(verifies[0], response, isRefusalWith(code), `\`${method}\` with ${shown(params)}`);
    },
  });
}
