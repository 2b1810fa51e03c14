import { isError, isNotError } from "../../response-matchers.js";
import type { Scenario } from "../../scenario.js";
import { unknownExtension } from "../../unknown-extension.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";
import { clientHas } from "../client-facts.js";
import { type JsonObject, show } from "../json.js";

/** The capability that each method needs, and the params of the request. */
const gated: readonly (readonly [path: string, method: string, params: JsonObject])[] = [
  ["fs.readTextFile", "fs/read_text_file", { path: "/a" }],
  ["fs.writeTextFile", "fs/write_text_file", { path: "/nowhere/a", content: "" }],
  ["terminal", "terminal/create", { command: "true" }],
  ["terminal", "terminal/output", { terminalId: "t" }],
  ["terminal", "terminal/wait_for_exit", { terminalId: "t" }],
  ["terminal", "terminal/kill", { terminalId: "t" }],
  ["terminal", "terminal/release", { terminalId: "t" }],
];

/** Scenarios about methods that the client does not know, or does not advertise. */
export const methodScenarios: readonly Scenario<ClientScenarioContext>[] = [
  refuses("messages/unknown-method", "An unknown method is refused with -32601", ["RPC-15"], "no/such", {}, -32601),
  refuses(
    "messages/method-of-the-other-side",
    "A method of agents is refused with -32601",
    ["RPC-15"],
    "session/new",
    { cwd: "/", mcpServers: [] },
    -32601,
  ),
  clientScenario({
    id: "messages/unknown-extension",
    title: "An unknown extension request gets a response: the error -32601",
    verifies: ["EXT-05", "RPC-15"],
    run: async (context) => {
      const turn = await context.turn();
      const sent = "A request for an extension method with a random name";
      const { sessionId } = turn;
      const response = await turn.agent.request(unknownExtension(), { sessionId }, sent, undefined, "EXT-05");
      // A "should" of ACP: a client may have a handler for every extension.
      context.expect("RPC-15", response, isError(-32601), { sent });
    },
  }),
  clientScenario({
    id: "messages/advertised",
    title: "Every method that the client advertises exists",
    verifies: ["INIT-16"],
    run: async (context) => {
      const open = gated.filter(([path]) => clientHas(context.facts, path));
      if (open.length === 0) context.skip("The client advertises no method.");
      const turn = await context.turn();
      for (const [path, method] of open) {
        const response = await turn.request(method, {});
        context.expect("INIT-16", response, isNotError(-32601), {
          sent: `\`${method}\`, which belongs to \`${path}\``,
          explanation:
            "A request for an advertised method does not get the error -32601, even if its params are empty.",
        });
      }
    },
  }),
  clientScenario({
    id: "messages/not-advertised",
    title: "A method whose capability the client doesn't advertise is refused with -32601",
    verifies: ["CAP-22"],
    run: async (context) => {
      const closed = gated.filter(([path]) => !clientHas(context.facts, path));
      if (closed.length === 0) context.skip("The client advertises every method.");
      const turn = await context.turn();
      for (const [path, method, params] of closed) {
        const response = await turn.request(method, params);
        context.expect("CAP-22", response, isError(-32601), { sent: `\`${method}\`, which needs \`${path}\`` });
      }
    },
  }),
  refuses(
    "messages/elicitation-not-advertised",
    "A client without elicitation refuses an elicitation",
    ["CAP-22"],
    "elicitation/create",
    { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } },
    -32601,
    (context) => {
      unlessAdvertised("elicitation.form")(context);
      unlessAdvertised("elicitation.url")(context);
    },
  ),
];

/** Creates a scenario that sends a request, and checks that the client responds with the error code `code`. */
function refuses(
  id: string,
  title: string,
  verifies: readonly string[],
  method: string,
  params: JsonObject,
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
        sent: `\`${method}\` with ${show(params)}`,
        explanation: `The response is an error with the code ${code}.`,
      });
    },
  });
}

function unlessAdvertised(path: string): (context: ClientScenarioContext) => void {
  return (context) => {
    if (clientHas(context.facts, path)) context.skip(`The client advertises \`clientCapabilities.${path}\`.`);
  };
}
