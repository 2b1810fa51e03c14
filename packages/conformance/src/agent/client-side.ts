import { asText, entryOf, isAbsolutePath, isObject, type Json, member, objectsIn, textOf } from "../wire/values.js";
import type { Incoming } from "./agent-messages.js";
import type { AgentPeer, ClientSide, Reply } from "./agent-peer.js";
import type { TestFiles } from "./test-files.js";

/** Options of the simulated client and its user. */
export interface ClientBehaviour {
  /** The kind of permission option to choose; `cancelled` chooses none. @defaultValue "allow_once" */
  permission?: "allow_once" | "reject_once" | "cancelled" | ((request: Incoming) => Reply);
  /** @defaultValue "accept" */
  elicitation?: "accept" | "decline" | "cancel" | ((request: Incoming) => Reply);
  /** Commands in terminals run until they are killed. */
  endlessCommands?: boolean;
  /** Called first with each request; a reply that it returns takes precedence. */
  first?: (request: Incoming) => Reply | undefined;
}

const notFound: Reply = { error: { code: -32601, message: "Method not found" } };

/** All client capabilities, except logins in a terminal. */
export const everyCapability: Json = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  elicitation: { form: {}, url: {} },
};

/** Creates a well-behaved client: its files are real, its terminals are simulated, its user agrees. */
export function clientSide(files: TestFiles, manners: ClientBehaviour = {}): ClientSide {
  const terminals = new Map<string, { exited: boolean; waiting: Incoming[] }>();
  const terminalOf = (request: Incoming): { exited: boolean; waiting: Incoming[] } | undefined =>
    terminals.get(asText(member(request.params, "terminalId")));
  let count = 0;

  const endTerminal = (terminal: { exited: boolean; waiting: Incoming[] }, peer: AgentPeer): void => {
    terminal.exited = true;
    for (const request of terminal.waiting.splice(0)) peer.respond(request, { result: { signal: "SIGKILL" } });
  };

  return async (request, peer) => {
    const own = manners.first?.(request);
    if (own) return own;
    const path = asText(member(request.params, "path"));
    switch (request.method) {
      case "session/request_permission":
        return choose(request, manners.permission ?? "allow_once");
      case "fs/read_text_file": {
        const refused = refusedPath(files, path);
        if (refused) return refused;
        const text = await files.read(path);
        if (text === undefined) return { error: { code: -32002, message: "Resource not found", data: { uri: path } } };
        return { result: { content: lines(text, member(request.params, "line"), member(request.params, "limit")) } };
      }
      case "fs/write_text_file": {
        const refused = refusedPath(files, path);
        if (refused) return refused;
        await files.write(path, asText(member(request.params, "content")));
        return { result: {} };
      }
      case "terminal/create": {
        const terminalId = `terminal-${++count}`;
        terminals.set(terminalId, { exited: manners.endlessCommands !== true, waiting: [] });
        return { result: { terminalId } };
      }
      case "terminal/output": {
        const terminal = terminalOf(request);
        if (!terminal) return { error: { code: -32002, message: "There is no such terminal" } };
        const output = { output: "conformance\n", truncated: false };
        return { result: terminal.exited ? { ...output, exitStatus: { exitCode: 0 } } : output };
      }
      case "terminal/wait_for_exit": {
        const terminal = terminalOf(request);
        if (!terminal) return { error: { code: -32002, message: "There is no such terminal" } };
        if (terminal.exited) return { result: { exitCode: 0 } };
        terminal.waiting.push(request);
        return "hold";
      }
      case "terminal/kill":
      case "terminal/release": {
        const terminal = terminalOf(request);
        if (!terminal) return { error: { code: -32002, message: "There is no such terminal" } };
        endTerminal(terminal, peer);
        if (request.method === "terminal/release") terminals.delete(asText(member(request.params, "terminalId")));
        return { result: {} };
      }
      case "elicitation/create":
        return elicit(request, manners.elicitation ?? "accept");
      default:
        return notFound;
    }
  };
}

/** Returns the error for a path outside of the scenario's directories, or `undefined` if the agent may use the path. */
function refusedPath(files: TestFiles, path: string): Reply | undefined {
  if (!isAbsolutePath(path)) return { error: { code: -32602, message: "The path is not absolute" } };
  if (!files.contains(path))
    return { error: { code: -32603, message: "The path is outside of the session's directories" } };
  return undefined;
}

/**
 * Returns the response to a permission request that chooses the option of the kind `how`. If no option has this kind,
 * it chooses another option with the same meaning, for example `allow_always` for `allow_once`. If there is none
 * either, the response is `cancelled`.
 */
export function choose(request: Incoming, how: NonNullable<ClientBehaviour["permission"]>): Reply {
  if (typeof how === "function") return how(request);
  const options = objectsIn(member(request.params, "options"));
  const direction = how.split("_")[0] ?? how;
  const option =
    options.find(({ kind }) => kind === how) ?? options.find(({ kind }) => textOf(kind)?.startsWith(direction));
  if (how === "cancelled" || !option) return { result: { outcome: { outcome: "cancelled" } } };
  return { result: { outcome: { outcome: "selected", optionId: option.optionId } } };
}

function elicit(request: Incoming, how: NonNullable<ClientBehaviour["elicitation"]>): Reply {
  if (typeof how === "function") return how(request);
  if (how !== "accept") return { result: { action: how } };
  const schema = member(request.params, "requestedSchema");
  if (!isObject(schema)) return { result: { action: "accept" } };
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return {
    result: { action: "accept", content: Object.fromEntries(properties.map(([name, each]) => [name, valueFor(each)])) },
  };
}

/** The maximum length of the text in a field of a form. An agent that requires more gets a text that is too short. */
const MAX_TEXT = 1_000_000;

/** Returns a valid value for a field of a form, which `property` describes as a JSON schema. */
function valueFor(property: unknown): unknown {
  const { type, enum: values, oneOf, items, format } = isObject(property) ? property : {};
  const limit = (name: string, none: number): number => {
    const value = member(property, name);
    return typeof value === "number" ? value : none;
  };
  const fallback = member(property, "default");
  if (fallback !== undefined && fallback !== null) return fallback;
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") {
    const value = limit("minimum", Math.min(1, limit("maximum", 1)));
    return type === "integer" ? Math.ceil(value) : value;
  }
  if (type === "array") {
    const choices = member(items, "enum") ?? objectsIn(member(items, "anyOf")).map((each) => each.const);
    const count = Math.min(Math.max(1, limit("minItems", 1)), limit("maxItems", Number.POSITIVE_INFINITY));
    return Array.isArray(choices) ? choices.slice(0, count) : [];
  }
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(oneOf)) return member(oneOf[0], "const");
  const formatted: Json = {
    email: "someone@example.com",
    uri: "https://example.com/",
    date: "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
  };
  return (
    textOf(entryOf(formatted, asText(format))) ??
    "conformance".slice(0, limit("maxLength", MAX_TEXT)).padEnd(Math.min(limit("minLength", 0), MAX_TEXT), "x")
  );
}

function lines(text: string, line: unknown, limit: unknown): string {
  if (typeof line !== "number" && typeof limit !== "number") return text;
  const start = typeof line === "number" ? Math.max(0, line - 1) : 0;
  return text
    .split(/(?<=\n)/)
    .slice(start, typeof limit === "number" ? start + limit : undefined)
    .join("");
}
