import type { AgentContext, TestSession } from "../../agent/agent-context.js";
import {
  type AgentCheck,
  type AgentScenario,
  agentScenario,
  agentWatch,
  messageWatch,
} from "../../agent/agent-scenario.js";
import type { ClientBehaviour } from "../../agent/client-side.js";
import { request, schemaWatch } from "../../agent/schema-watch.js";
import { checkTurnEnds, type ServedRequest, served } from "../../agent/served-request.js";
import { isSuccess } from "../../response-matchers.js";
import { Failure, Inconclusive, Skip } from "../../verdict.js";
import type { ConversationMessage } from "../../wire/conversation.js";
import { asText, isObject, member, shown, textOf } from "../../wire/values.js";

const secret =
  /(?:pass(?:word|phrase|wd)|api[-_ ]?key|secret|private[-_ ]?key|access[-_ ]?token|recovery code|credit card|\bcvv\b|\bpin[-_ ]?(?:code|number)\b)(?![-_ ]?(?:name|id|path|file|store|manager|policy|hint|length))/i;

/**
 * Matches a message that prompts the user for a secret: a verb such as `enter`, soon followed by the name of a secret.
 * `Enter the path to your private key` prompts for none.
 */
const secretPrompt =
  /\b(?:enter|provide|type|paste|give|supply|input)\b(?:(?!\b(?:name|id|path|file|location|hint|length) (?:of|for|to)\b)[^.?!\n]){0,40}\b(?:password|passphrase|api[- ]?key|private key|access token|secret(?: key)?|credit card number|cvv|recovery code)\b(?!(?: key)?[-_ ]?(?:name|id|path|file|store|manager|policy|hint|length))/i;

const types = new Set(["string", "number", "integer", "boolean", "array"]);

/** The checks of agents: elicitation. */
export const elicitationAgentChecks: readonly AgentCheck[] = [
  ...(["form", "url"] as const).flatMap((mode) => [
    endsAfter(mode, "accept", "accept"),
    endsAfter(mode, "decline", "decline"),
    endsAfter(mode, "cancel", "cancel"),
    endsAfter(mode, "an unknown action", () => ({ result: { action: "_conformance/later" } })),
    endsAfter(mode, "an error", () => ({ error: { code: -32603, message: "No user here" } })),
  ]),
  agentScenario("elicitation/while-cancelled", ["ELICIT-46", "CANCEL-07"], {
    title: "A turn that is cancelled during an elicitation doesn't hang",
    needs: ["prompt: form"],
    async run(context) {
      const all = await served(context, "form", "elicitation/create", { elicitation: () => "hold" });
      const { session, turn, request } = all;
      session.peer.notify("session/cancel", { sessionId: session.id });
      session.peer.respond(request, { result: { action: "cancel" } });
      // The control: the same turn without the cancel.
      const response = await context.responseOrControl(session, turn.prompt, { requirement: "ELICIT-46" }, async () => {
        const other = await context.openSession();
        await context.endOf(other, context.prompt(other, context.text("form")));
      });
      context.expect("CANCEL-07", response, isSuccess, "session/cancel during an elicitation, and the action cancel");
    },
  }),
  schemaWatch(
    "elicitations",
    ["ELICIT-03", "ELICIT-04", "ELICIT-05", "ELICIT-06", "ELICIT-09"],
    "Elicitations match the schema",
    request("elicitation/create"),
  ),
  schemaWatch(
    "notifications",
    ["ELICIT-33", "CANCEL-21"],
    "Completions of elicitations and cancellations of requests match the schema",
    ({ method }) => method === "elicitation/complete" || method === "$/cancel_request",
  ),
  messageWatch("watch/elicitation-scope", ["ELICIT-05"], {
    title: "An elicitation belongs to a session or to an open request, not to both",
    isAbout: isElicitation,
    check({ params, seq }, wrong) {
      const scopes = ["sessionId", "requestId"].filter((name) => (member(params, name) ?? undefined) !== undefined);
      if (scopes.length === 1) return;
      wrong("ELICIT-05", [seq], `an elicitation with ${scopes.join(" and ") || "neither sessionId nor requestId"}`);
    },
  }),
  messageWatch("watch/elicitation-forms", ["ELICIT-07", "ELICIT-09", "ELICIT-25", "ELICIT-26"], {
    title: "Forms are flat objects that ask for no secrets",
    isAbout: (message) => isElicitation(message) && member(message.params, "mode") === "form",
    check({ params, seq }, wrong) {
      const schema = member(params, "requestedSchema");
      const properties = member(schema, "properties");
      if (member(schema, "type") !== "object" || !isObject(properties)) {
        wrong("ELICIT-07", [seq], shown(schema));
        return;
      }
      const message = textOf(member(params, "message")) ?? "";
      const takesText = Object.values(properties).some((each) => member(each, "type") === "string");
      if (takesText && secretPrompt.test(message.slice(0, 2_000))) {
        wrong("ELICIT-25", [seq], `the message ${shown(message)}`);
      }
      for (const [name, property] of Object.entries(properties)) {
        const shownProperty = `the property ${name}: ${shown(property)}`;
        if (!types.has(asText(member(property, "type")))) wrong("ELICIT-09", [seq], shownProperty);
        if (requestsSecret(name, property)) wrong("ELICIT-25", [seq], shownProperty);
      }
    },
  }),
  agentWatch("watch/elicitation-urls", ["ELICIT-30", "ELICIT-37", "ELICIT-38"], {
    title: "Each elicitation of the mode url has its own elicitationId and a URL without credentials",
    check(conversation, { countEntry, wrong }) {
      const open = new Map<string, ConversationMessage>();
      for (const one of conversation.spoken) {
        if (one.from === "client") {
          // After a decline, a cancel or an error, no page is open, so the agent may use the id again.
          const id = asText(member(one.other?.params, "elicitationId"));
          const isAccepted = member(one.message, "result", "action") === "accept";
          if (one.kind === "response" && !isAccepted && open.get(id) === one.other) open.delete(id);
          continue;
        }
        const id = asText(member(one.params, "elicitationId"));
        if (one.method === "elicitation/complete") open.delete(id);
        if (one.method !== "elicitation/create" || member(one.params, "mode") !== "url") continue;
        countEntry();
        const before = open.get(id);
        if (before) {
          const isAccepted = before.other !== undefined && before.other.seq < one.seq;
          const rule = "An elicitationId is unique among the open elicitations.";
          wrong(
            "ELICIT-30",
            [before.seq, one.seq],
            `the elicitationId ${shown(id)} again`,
            isAccepted
              ? `${rule} The client accepted the page, and no elicitation/complete followed, so the page may still be open.`
              : rule,
            // The agent may know that an accepted page has ended, because it need not send elicitation/complete
            // (ELICIT-32).
            { advice: isAccepted },
          );
        }
        open.set(id, one);
        const url = textOf(member(one.params, "url")) ?? "";
        if (carriesCredentials(url)) wrong("ELICIT-37", [one.seq], shown(url));
        if (/^http:\/\/(?!localhost|127\.|\[::1\])/i.test(url)) wrong("ELICIT-38", [one.seq], shown(url));
      }
    },
  }),
  agentWatch("watch/elicitation-complete", ["ELICIT-33"], {
    title: "elicitation/complete names an elicitation of the mode url that the agent sent",
    check(conversation, { countEntry, wrong }) {
      const ids = new Set<unknown>();
      for (const { from, method, params, seq } of conversation.spoken) {
        if (from !== "agent") continue;
        if (method === "elicitation/create" && member(params, "mode") === "url")
          ids.add(member(params, "elicitationId"));
        if (method !== "elicitation/complete") continue;
        countEntry();
        if (ids.has(member(params, "elicitationId"))) continue;
        wrong("ELICIT-33", [seq], shown(params));
      }
    },
  }),
];

/** Creates a scenario in which the client responds to an elicitation with `how`, after which the turn ends. */
function endsAfter(
  mode: "form" | "url",
  how: string,
  elicitation: NonNullable<ClientBehaviour["elicitation"]>,
): AgentScenario {
  const requirement = how === "an unknown action" ? "ELICIT-24" : "ELICIT-23";
  return agentScenario(`elicitation/${mode}-${how.replace("an ", "").replace(" ", "-")}`, [requirement], {
    title: `The turn ends after the client responds to ${mode === "form" ? "a form" : "a request to open a page"} with ${how}`,
    needs: [`prompt: ${mode}`],
    async run(context) {
      const all = await served(context, mode, "elicitation/create", { elicitation });
      const sent = `${how} as the response to elicitation/create`;
      const control = { elicitation: how === "accept" ? "decline" : "accept" } as const;
      await checkTurnEnds(context, all, { requirement, sent, control });
      if (how !== "accept") await checkNotAccepted(context, all, mode, { how, requirement, sent });
    },
  });
}

/** Checks that the agent does not continue as if the user had accepted. */
async function checkNotAccepted(
  context: AgentContext,
  { session, turn, request }: ServedRequest,
  mode: "form" | "url",
  { how, requirement, sent }: { readonly how: string; readonly requirement: string; readonly sent: string },
): Promise<void> {
  const id = member(request.params, "elicitationId");
  const completed = session.peer.incoming.find(
    ({ method, params, seq }) =>
      method === "elicitation/complete" && seq > request.seq && member(params, "elicitationId") === id,
  );
  if (mode === "url" && completed) {
    context.fail(requirement, {
      sent,
      received: `elicitation/complete ${shown(completed.params)}`,
      explanation: "The user did not agree to open the page, so the elicitation can't be complete.",
      remedy: "Send elicitation/complete only after the action accept.",
      where: session.peer.at(request.seq, completed.seq),
    });
  }
  // The text is evidence only if it equals the agent's text after accept, and the agent's text after cancel is
  // different.
  const said = agentTextAfter(context, session, request.seq);
  if (how === "cancel" || said === "") return;
  const accepted = await textAfterResponse(context, mode, "accept");
  const cancelled = await textAfterResponse(context, mode, "cancel");
  if (cancelled === undefined || said !== accepted || accepted === cancelled) return;
  context.note(requirement, {
    advice: true,
    sent,
    received: `the same text as after accept: ${shown(said)}`,
    explanation:
      "The agent's text after cancel differs from this text, so the agent seems to treat this response as accept.",
    where: session.peer.at(turn.prompt.seq, request.seq),
  });
}

/** Repeats the elicitation with the response `how`. Returns the agent's text; `undefined` if that fails. */
async function textAfterResponse(
  context: AgentContext,
  mode: "form" | "url",
  how: "accept" | "cancel",
): Promise<string | undefined> {
  try {
    const { session, turn, request } = await served(context, mode, "elicitation/create", { elicitation: how });
    await context.endOf(session, turn);
    return agentTextAfter(context, session, request.seq);
  } catch (error) {
    if (error instanceof Failure || error instanceof Skip || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

function agentTextAfter(context: AgentContext, session: TestSession, seq: number): string {
  return context
    .updates(session, seq)
    .map(({ update }) => (update.sessionUpdate === "agent_message_chunk" ? textOf(member(update.content, "text")) : ""))
    .join("");
}

function isElicitation({ kind, method }: ConversationMessage): boolean {
  return kind === "request" && method === "elicitation/create";
}

/** Returns whether the name, title or format of a form's property is that of a secret that the user types. */
export function requestsSecret(name: string, property: unknown): boolean {
  const isTyped =
    member(property, "type") === "string" && !("enum" in Object(property)) && !("oneOf" in Object(property));
  return (
    isTyped &&
    [name, textOf(member(property, "title")), textOf(member(property, "format"))].some((one) => secret.test(one ?? ""))
  );
}

/** Returns whether a URL has a user and a password before its host: `https://user:password@host`. */
export function carriesCredentials(url: string): boolean {
  const [, authority = ""] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  const colon = authority.indexOf(":");
  return colon >= 0 && authority.indexOf("@", colon) >= 0;
}
