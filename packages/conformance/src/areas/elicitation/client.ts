import { type ClientCheck, clientScenario, clientWatch, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import { clientHas } from "../../client/client-facts.js";
import { exchangeOf } from "../../client/schema-watch.js";
import type { ClientResponse } from "../../client/scripted-agent.js";
import type { Turn } from "../../client/turn.js";
import type { Evidence } from "../../finding.js";
import { isError } from "../../response-matchers.js";
import { isObject, type Json, member, shown } from "../../wire/values.js";

const properties = {
  name: { type: "string", title: "Name", minLength: 1, default: "Ada" },
  age: { type: "integer", minimum: 0, maximum: 200 },
  agree: { type: "boolean" },
  colour: { type: "string", enum: ["red", "green"] },
};

const requestedSchema = { type: "object", properties, required: ["name"] };

/** The checks of clients: elicitation. */
export const elicitationClientChecks: readonly ClientCheck[] = [
  turnScenario("elicitation/form", ["ELICIT-21", "ELICIT-18"], {
    title: "The content of a form conforms to its schema",
    needs: ["clientCapabilities.elicitation.form"],
    run: async (context, turn) => {
      const response = await elicit(context, turn, { mode: "form", requestedSchema });
      if (response.error) context.fail("ELICIT-18", { sent: "A form", received: response });
      if (member(response.result, "action") !== "accept") return;
      const fault = contentFault(member(response.result, "content"));
      if (fault) context.fail("ELICIT-21", { sent: shown(requestedSchema), received: response, explanation: fault });
    },
  }),
  turnScenario("elicitation/empty-form", ["ELICIT-08"], {
    title: "A schema without type or properties is an empty form",
    needs: ["clientCapabilities.elicitation.form"],
    run: async (context, turn) => {
      await acceptsForm(
        context,
        turn,
        "ELICIT-08",
        {},
        {
          sent: "`requestedSchema` {}",
          explanation: "A schema without `properties` is a form without fields: show it, or respond with an action.",
        },
      );
    },
  }),
  turnScenario("elicitation/unknown-format", ["ELICIT-10"], {
    title: "The client accepts a form with an unknown format",
    needs: ["clientCapabilities.elicitation.form"],
    run: async (context, turn) => {
      const properties = { address: { type: "string", format: "ipv4" } };
      await acceptsForm(
        context,
        turn,
        "ELICIT-10",
        { type: "object", properties },
        {
          sent: 'A string with the format "ipv4"',
          explanation: "A client shows a string with an unknown format as a plain string: the format is only a hint.",
        },
      );
    },
  }),
  turnScenario("elicitation/unknown-type", ["ELICIT-11"], {
    title: "A property of an unknown type doesn't end the connection",
    needs: ["clientCapabilities.elicitation.form"],
    run: async (context, turn) => {
      await elicit(context, turn, {
        mode: "form",
        requestedSchema: { type: "object", properties: { tint: { type: "color" } } },
      });
      await context.survived(turn, "ELICIT-11", "a form with a property of an unknown type");
    },
  }),
  turnScenario("elicitation/costly-pattern", ["ELICIT-12"], {
    title: "A pattern that is costly to evaluate doesn't stop the client",
    needs: ["clientCapabilities.elicitation.form"],
    run: async (_, turn) => {
      const value = { type: "string", pattern: "^(a+)+$", default: `${"a".repeat(40)}!` };
      const waiting = turn.tryRequest("elicitation/create", {
        message: "?",
        mode: "form",
        requestedSchema: { type: "object", properties: { value } },
      });
      await turn.checkAlive("a form with a costly pattern");
      await waiting;
    },
  }),
  clientScenario("elicitation/other-mode", ["ELICIT-19", "ERR-05"], {
    title: "An elicitation of a mode that is not advertised gets the error -32602",
    needs: ["clientCapabilities.elicitation, of one mode"],
    run: async (context) => {
      const form = clientHas(context.facts, "elicitation.form");
      const url = clientHas(context.facts, "elicitation.url");
      if (form === url)
        context.skip(form ? "The client advertises every mode." : "The client advertises no elicitation.");
      const turn = await context.turn();
      const params = form
        ? { mode: "url", elicitationId: "e1", url: "https://example.com/" }
        : { mode: "form", requestedSchema };
      const response = await turn.request("elicitation/create", { message: "?", ...params });
      context.expect("ELICIT-19", response, isError(-32602), `The mode \`${params.mode}\`, which is not advertised`);
    },
  }),
  turnScenario("elicitation/completions", ["ELICIT-34", "ELICIT-31"], {
    title: "The client ignores elicitation/complete for unknown elicitations, also if it is repeated",
    needs: ["clientCapabilities.elicitation.url"],
    run: async (context, turn) => {
      for (const elicitationId of ["unknown/ü", "unknown/ü", ""])
        turn.agent.notify("elicitation/complete", { elicitationId });
      await context.survived(turn, "ELICIT-34", "elicitation/complete for unknown elicitations");
    },
  }),
  turnScenario("elicitation/no-prefetch", ["ELICIT-40"], {
    title: "The client sends no request to a URL before the user has agreed",
    needs: ["clientCapabilities.elicitation.url"],
    run: async (context, turn) => {
      const server = await context.host.listen();
      const params = { message: "Please log in", mode: "url", elicitationId: "e 1/ü", url: `${server.url}/log-in` };
      const response = await turn.tryRequest("elicitation/create", params);
      await turn.checkAlive("an elicitation by URL");
      if (member(response?.result, "action") === "accept")
        context.skip("The client accepted by itself, so its user has agreed.");
      for (let waited = 0; waited < context.driving.quietMs && server.visits() === 0; waited += 20) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      if (server.visits() === 0) return;
      context.fail("ELICIT-40", { sent: `The URL ${params.url}`, received: `${server.visits()} requests.` });
    },
  }),
  clientWatch("payload/elicitation-action", ["ELICIT-18"], {
    title: "An elicitation is accepted, declined or cancelled",
    judge: (event, state) => {
      const exchange = exchangeOf(event, state);
      if (exchange?.request.method !== "elicitation/create") return undefined;
      const action = member(exchange.result, "action");
      const known = action === "accept" || action === "decline" || action === "cancel";
      return known ? "fine" : { received: shown(exchange.result) };
    },
  }),
];

async function elicit(context: ClientScenarioContext, turn: Turn, params: Json): Promise<ClientResponse> {
  const waiting = turn.tryRequest("elicitation/create", { message: "May I ask?", ...params });
  if (context.driving.permissionStdin !== undefined) context.run.process.type(`${context.driving.permissionStdin}\n`);
  const response = await waiting;
  if (response) return response;
  await turn.checkAlive("an elicitation");
  return context.skip("There was no response; the client may be waiting for its user.");
}

/** Checks that an unusual form gets no error. The control is a plain form. */
async function acceptsForm(
  context: ClientScenarioContext,
  turn: Turn,
  rule: string,
  unusual: Json,
  evidence: Omit<Evidence, "received">,
): Promise<void> {
  const received = await elicit(context, turn, { mode: "form", requestedSchema: unusual });
  if (!received.error) return;
  const control = await elicit(context, turn, { mode: "form", requestedSchema });
  if (control.error) context.inconclusive(`A plain form fails, too: ${shown(control)}`);
  context.fail(rule, { ...evidence, received });
}

function contentFault(content: unknown): string | undefined {
  if (!isObject(content)) return "There is no content, and `name` is required.";
  const unknown = Object.keys(content).filter((key) => !(key in properties));
  if (unknown.length > 0) return `The schema has no ${unknown.join(", ")}.`;
  if (typeof content.name !== "string" || content.name === "")
    return "`name` is a string of one character or more, and required.";
  if (
    content.age !== undefined &&
    !(Number.isInteger(content.age) && Number(content.age) >= 0 && Number(content.age) <= 200)
  )
    return "`age` is an integer from 0 to 200.";
  if (content.agree !== undefined && typeof content.agree !== "boolean") return "`agree` is a boolean.";
  if (content.colour !== undefined && content.colour !== "red" && content.colour !== "green")
    return "`colour` is red or green.";
  return undefined;
}
