/** A method, valid params, and the changes that make them malformed. */
export interface MethodFaults {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Members that are required and have this type. */
  readonly required: readonly string[];
  /** Other changes: path → the wrong value. */
  readonly faults?: Readonly<Record<string, unknown>>;
}

const sessionId = "session-1";
const option = { optionId: "y", name: "Yes", kind: "allow_once" };

/** The requests of a client. */
export const agentMethods: readonly MethodFaults[] = [
  {
    method: "initialize",
    params: { protocolVersion: 1 },
    required: ["protocolVersion"],
    faults: { protocolVersion: "1" },
  },
  { method: "authenticate", params: { methodId: "token" }, required: ["methodId"] },
  { method: "logout", params: {}, required: [] },
  {
    method: "session/new",
    params: { cwd: "/work", mcpServers: [{ name: "m", command: "/m", args: [], env: [] }] },
    required: ["cwd", "mcpServers"],
    faults: {
      "mcpServers[0]": 5,
      "mcpServers[0].args": "not a list",
      "additionalDirectories[0]": 1,
    },
  },
  {
    method: "session/load",
    params: { sessionId, cwd: "/work", mcpServers: [] },
    required: ["sessionId", "cwd", "mcpServers"],
  },
  { method: "session/resume", params: { sessionId, cwd: "/work" }, required: ["sessionId", "cwd"] },
  {
    method: "session/list",
    params: {},
    required: [],
    faults: { cwd: 5, cursor: { page: 2 } },
  },
  { method: "session/close", params: { sessionId }, required: ["sessionId"] },
  { method: "session/delete", params: { sessionId }, required: ["sessionId"] },
  { method: "session/set_mode", params: { sessionId, modeId: "code" }, required: ["sessionId", "modeId"] },
  {
    method: "session/set_config_option",
    params: { sessionId, configId: "model", value: "fast" },
    required: ["sessionId", "configId", "value"],
  },
  {
    method: "session/prompt",
    params: { sessionId, prompt: [{ type: "text", text: "say hello" }] },
    required: ["sessionId", "prompt"],
    faults: { "prompt[0]": "text", "prompt[0].text": 5, "prompt[0].type": 7 },
  },
];

/** The requests of an agent. */
export const clientMethods: readonly MethodFaults[] = [
  {
    method: "fs/read_text_file",
    params: { sessionId, path: "/work/a.ts" },
    required: ["sessionId", "path"],
    faults: { line: -1, limit: 1.5 },
  },
  {
    method: "fs/write_text_file",
    params: { sessionId, path: "/work/a.ts", content: "" },
    required: ["sessionId", "path", "content"],
  },
  {
    method: "session/request_permission",
    params: { sessionId, toolCall: { toolCallId: "t1" }, options: [option] },
    required: ["sessionId", "toolCall", "options"],
    faults: { "toolCall.toolCallId": 5, "options[0].kind": "maybe", "options[0].optionId": null, "options[0]": "y" },
  },
  {
    method: "terminal/create",
    params: { sessionId, command: "ls" },
    required: ["sessionId", "command"],
    faults: { args: "-l", "env[0]": "X=1", cwd: 5, outputByteLimit: -1 },
  },
  ...["output", "wait_for_exit", "kill", "release"].map((name) => ({
    method: `terminal/${name}`,
    params: { sessionId, terminalId: "t1" },
    required: ["sessionId", "terminalId"],
  })),
  {
    method: "elicitation/create",
    params: { sessionId, mode: "form", message: "Name?", requestedSchema: { type: "object", properties: {} } },
    required: ["mode", "message", "requestedSchema"],
    faults: { "requestedSchema.properties": null },
  },
];

/**
 * Returns every malformed version of a method's params, with the path that the error must contain. The path is empty if
 * the params themselves are malformed.
 */
export function malformations({ params, required, faults = {} }: MethodFaults): { path: string; params: unknown }[] {
  return [
    { path: "", params: [params] },
    { path: "", params: "params" },
    ...required.flatMap((member) => [
      { path: member, params: without(params, member) },
      { path: member, params: { ...params, [member]: false } },
    ]),
    ...Object.entries(faults).map(([path, value]) => ({ path, params: replaced(params, path, value) })),
  ];
}

function without(params: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.fromEntries(Object.entries(params).filter(([name]) => name !== member));
}

/** Copies `value` with `other` at `path` (`a[0].b`). */
function replaced(value: unknown, path: string, other: unknown): unknown {
  const [, head = "", rest = ""] = /^\[?([\w]+)\]?\.?(.*)$/.exec(path) ?? [];
  const inner =
    rest === "" ? other : replaced((value as Record<string, unknown> | undefined)?.[head] ?? {}, rest, other);
  if (/^\d+$/.test(head)) {
    const list = Array.isArray(value) ? [...value] : [];
    list[Number(head)] = inner;
    return list;
  }
  return { ...(value as object), [head]: inner };
}
