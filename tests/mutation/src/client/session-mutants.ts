import type { Message, Mutant } from "../wire/mutation.js";
import { alter, call, first, inject, injectBefore, request } from "../wire/operators.js";

const prompt = call("session/prompt");
const created = call("session/new");
const everything = "opening/everything-advertised";
const plain = "updates/every-kind";
const session = { sessionId: "session-1", cwd: "/", mcpServers: [] };

/** Opens a session with something of its own. */
const opens = (change: (params: Message) => unknown) => alter(created, ({ params }) => change(params));
/** Prompts with one block more. */
const prompts = (block: object) => alter(prompt, ({ params }) => params.prompt.push(block));
const calls = (method: string, params: object = session) => inject(prompt, () => [request(method, params)]);

/** Creates a mutant that uses a method or a member that the agent does not advertise. */
const gate = (name: string, rules: readonly string[], does: string, mutation: Mutant["mutation"]): Mutant => {
  const [rule = "", ...also] = rules;
  return { rule, also: [...also, "INIT-12"], does, shows: [plain, `gates/${name}`], mutation };
};

/** The rules about capability gates, sessions and prompts. */
export const sessionMutants: readonly Mutant[] = [
  gate("session-load", ["CAP-01", "SESS-12"], "loads sessions anyway", calls("session/load")),
  gate("session-list", ["CAP-02", "LIST-01"], "lists sessions anyway", calls("session/list", {})),
  gate("session-delete", ["CAP-03", "DEL-01"], "deletes sessions anyway", calls("session/delete")),
  gate("session-resume", ["CAP-04", "SESS-21"], "resumes sessions anyway", calls("session/resume")),
  gate("session-close", ["CAP-05", "SESS-26"], "closes sessions anyway", calls("session/close")),
  gate("logout", ["CAP-06", "AUTH-16"], "logs out anyway", calls("logout", {})),
  gate(
    "additional-directories",
    ["CAP-07", "DIR-01"],
    "names directories anyway",
    opens((params) => (params.additionalDirectories = ["/tmp"])),
  ),
  ...["http", "sse"].map((type, index) =>
    gate(
      `mcp-${type}`,
      [`CAP-0${8 + index}`, "MCP-03"],
      `passes servers over ${type} anyway`,
      opens((params) => (params.mcpServers = [{ type, name: "m", url: "https://example.com/", headers: [] }])),
    ),
  ),
  gate(
    "prompt-image",
    ["CAP-10", "PROMPT-03"],
    "sends images anyway",
    prompts({ type: "image", data: "AA==", mimeType: "image/png" }),
  ),
  gate(
    "prompt-audio",
    ["CAP-11", "PROMPT-03"],
    "sends audio anyway",
    prompts({ type: "audio", data: "AA==", mimeType: "audio/wav" }),
  ),
  gate(
    "prompt-resource",
    ["CAP-12", "PROMPT-03"],
    "embeds resources anyway",
    prompts({ type: "resource", resource: { uri: "file:///x", text: "x" } }),
  ),
  {
    rule: "AUTH-04",
    does: "logs in with a method that does not exist",
    shows: ["opening/login", "payload/login-method"],
    mutation: alter(call("authenticate"), ({ params }) => (params.methodId = "guess")),
  },
  {
    rule: "AUTH-05",
    does: "sends a terminal login to authenticate",
    shows: ["opening/login", "payload/terminal-login"],
    mutation: () => ({
      fromPeer(message) {
        const copy = structuredClone(message);
        if (message.method === "initialize") copy.params.clientCapabilities.auth = { terminal: true };
        if (message.method === "authenticate") copy.params.methodId = "terminal-log-in";
        return [copy];
      },
    }),
  },
  {
    rule: "SESS-02",
    does: "opens sessions without mcpServers",
    shows: [plain, "schema/new-session"],
    mutation: opens((params) => delete params.mcpServers),
  },
  {
    rule: "SESS-07",
    does: "opens sessions in a relative directory",
    shows: ["opening/stdio", "opening/modes", "lifecycle/cwd-absolute"],
    mutation: opens((params) => (params.cwd = "src")),
  },
  {
    rule: "SESS-13",
    does: "loads sessions without a cwd",
    shows: [everything, "schema/load-session"],
    mutation: calls("session/load", { sessionId: "session-1", mcpServers: [] }),
  },
  {
    rule: "SESS-22",
    does: "resumes sessions without a cwd",
    shows: [everything, "schema/resume-session"],
    mutation: calls("session/resume", { sessionId: "session-1" }),
  },
  {
    rule: "DIR-02",
    does: "sends additionalDirectories with relative paths",
    shows: [everything, "payload/directories"],
    mutation: opens((params) => (params.additionalDirectories = ["src"])),
  },
  {
    rule: "DIR-02",
    does: "sends additionalDirectories that are not a list",
    shows: [everything, "payload/directories"],
    mutation: opens((params) => (params.additionalDirectories = [null])),
  },
  {
    rule: "MCP-06",
    does: "passes MCP servers without env",
    shows: [everything, "schema/new-session"],
    mutation: opens((params) => (params.mcpServers = [{ name: "m", command: "/bin/true", args: [] }])),
  },
  {
    rule: "MCP-06",
    does: "passes MCP servers with a relative command",
    shows: [everything, "payload/mcp-command"],
    mutation: opens((params) => (params.mcpServers = [{ name: "m", command: "true", args: [], env: [] }])),
  },
  {
    rule: "MCP-07",
    does: "passes MCP servers over HTTP without headers",
    shows: [everything, "schema/new-session"],
    mutation: opens((params) => (params.mcpServers = [{ type: "http", name: "m", url: "https://example.com/" }])),
  },
  {
    rule: "LIST-03",
    does: "lists the sessions of a relative directory",
    shows: ["opening/list-ends", "payload/list-cwd"],
    mutation: alter(call("session/list"), ({ params }) => (params.cwd = "src")),
  },
  {
    rule: "LIST-07",
    does: "requests a page of sessions after the last page",
    shows: ["opening/list-ends"],
    mutation: injectBefore(first(created), () => [request("session/list", { cursor: "more" })]),
  },
  {
    rule: "LIST-08",
    does: "changes the cursor of a page",
    shows: ["opening/list-ends", "payload/list-cursor"],
    mutation: alter(
      (message) => message.method === "session/list" && message.params.cursor !== undefined,
      ({ params }) => (params.cursor = params.cursor.toUpperCase()),
    ),
  },
  {
    rule: "PROMPT-01",
    does: "prompts before a session is open",
    shows: ["opening/stdio", plain, "lifecycle/session-id"],
    mutation: injectBefore(created, () => [
      request("session/prompt", { sessionId: "none", prompt: [{ type: "text", text: "Hello" }] }),
    ]),
  },
  {
    rule: "PROMPT-02",
    does: "sends session/prompt without content blocks",
    shows: [plain, "schema/prompt"],
    mutation: alter(prompt, ({ params }) => delete params.prompt),
  },
  {
    rule: "CONT-01",
    does: "prompts with an unknown type of content block",
    shows: [plain, "schema/prompt"],
    mutation: prompts({ type: "video", url: "https://example.com/" }),
  },
];
