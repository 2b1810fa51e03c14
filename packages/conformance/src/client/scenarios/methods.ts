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

const codeOf = (response: { error?: JsonObject | undefined }): unknown => response.error?.code;

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
      if (codeOf(response) === -32601) return;
      context.fail({
        requirement: "RPC-15", // a "should" of ACP: a client may have a handler for every extension
        sent,
        received: show(response),
        explanation: "An extension request that the client doesn't know gets the error -32601.",
      });
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
        if (codeOf(response) !== -32601) continue;
        context.note({
          requirement: "INIT-16",
          sent: `\`${method}\`, which belongs to \`${path}\``,
          received: show(response),
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
        if (codeOf(response) === -32601) continue;
        context.note({
          requirement: "CAP-22",
          sent: `\`${method}\`, which needs \`${path}\``,
          received: show(response),
          explanation:
            "A request for a method that the client did not advertise gets the error of an unknown method, -32601.",
        });
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
      if (codeOf(response) === code) return;
      context.fail({
        requirement: verifies[0] ?? "",
        sent: `\`${method}\` with ${show(params)}`,
        received: show(response),
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
