import type { Watch } from "../../scenario.js";
import type { Conversation, ConversationMessage } from "../../wire/conversation.js";
import { asText, isObject, member, shown, textOf } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";

const secret =
  /(?:pass(?:word|phrase|wd)|api[-_ ]?key|secret|private[-_ ]?key|access[-_ ]?token|recovery code|credit card|\bcvv\b|\bpin[-_ ]?(?:code|number)\b)(?![-_ ]?(?:name|id|path|file|store|manager|policy|hint|length))/i;
/** Matches a message that prompts the user for a secret: a verb such as `enter`, soon followed by the name of a secret. `Enter the path to your private key` prompts for none. */
const secretPrompt =
  /\b(?:enter|provide|type|paste|give|supply|input)\b(?:(?!\b(?:name|id|path|file|location|hint|length) (?:of|for|to)\b)[^.?!\n]){0,40}\b(?:password|passphrase|api[- ]?key|private key|access token|secret(?: key)?|credit card number|cvv|recovery code)\b(?!(?: key)?[-_ ]?(?:name|id|path|file|store|manager|policy|hint|length))/i;
const types = new Set(["string", "number", "integer", "boolean", "array"]);

function elicitationRequests({ spoken }: Conversation): readonly ConversationMessage[] {
  return spoken.filter(
    ({ from, kind, method }) => from === "agent" && kind === "request" && method === "elicitation/create",
  );
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

/** Checks of every recorded dialogue: the rules about elicitations that the schema can't express. */
export const elicitationWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/elicitation-scope",
    title: "An elicitation belongs to a session or to an open request, not to both",
    verifies: ["ELICIT-05"],
    check(conversation, { countEntry, wrong }) {
      for (const { params, seq } of elicitationRequests(conversation)) {
        countEntry();
        const scopes = ["sessionId", "requestId"].filter((name) => (member(params, name) ?? undefined) !== undefined);
        if (scopes.length === 1) continue;
        wrong("ELICIT-05", [seq], `an elicitation with ${scopes.join(" and ") || "neither sessionId nor requestId"}`);
      }
    },
  }),
  agentWatch({
    id: "watch/elicitation-forms",
    title: "Forms are flat objects that ask for no secrets",
    verifies: ["ELICIT-07", "ELICIT-09", "ELICIT-25", "ELICIT-26"],
    check(conversation, { countEntry, wrong }) {
      for (const { params, seq } of elicitationRequests(conversation)) {
        if (member(params, "mode") !== "form") continue;
        countEntry();
        const schema = member(params, "requestedSchema");
        const properties = member(schema, "properties");
        if (member(schema, "type") !== "object" || !isObject(properties)) {
          wrong("ELICIT-07", [seq], shown(schema));
          continue;
        }
        const message = textOf(member(params, "message")) ?? "";
        const takesText = Object.values(properties).some((each) => member(each, "type") === "string");
        if (takesText && secretPrompt.test(message.slice(0, 2_000))) {
          wrong("ELICIT-25", [seq], `the message ${shown(message)}`);
        }
        for (const [name, property] of Object.entries(properties)) {
          if (!types.has(asText(member(property, "type")))) {
            wrong("ELICIT-09", [seq], `the property ${name}: ${shown(property)}`);
          }
          if (requestsSecret(name, property)) wrong("ELICIT-25", [seq], `the property ${name}: ${shown(property)}`);
        }
      }
    },
  }),
  agentWatch({
    id: "watch/elicitation-urls",
    title: "Each elicitation of the mode url has its own elicitationId and a URL without credentials",
    verifies: ["ELICIT-30", "ELICIT-37", "ELICIT-38"],
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
            // The agent may know that an accepted page has ended, because it need not send elicitation/complete (ELICIT-32).
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
  agentWatch({
    id: "watch/elicitation-complete",
    title: "elicitation/complete names an elicitation of the mode url that the agent sent",
    verifies: ["ELICIT-33"],
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
