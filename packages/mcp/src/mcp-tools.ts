import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, shorten } from "@acp-kit/jsonrpc/internal";
import type { StandardSchema } from "@acp-kit/protocol";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { checkName } from "./check-name.js";
import {
  type McpHandler,
  type McpOutcome,
  type McpRequest,
  type McpSession,
  type McpSource,
  SERVER_INFO,
} from "./mcp-source.js";
import { isToolError } from "./tool-error.js";

/** The second argument of a tool's `run`. */
export interface ToolContext {
  readonly session: McpSession;
  /** Aborts when the agent cancels the call, when its turn is cancelled, and when the session ends. */
  readonly signal: AbortSignal;
  /**
   * Reports the progress of the call, if the agent has asked for it: a growing number, and its final value if known.
   */
  progress(progress: number, total?: number, message?: string): void;
}

/** A schema library's schema that can be converted to JSON Schema, such as those of zod 4.2 and ArkType. */
export interface ToolSchema<Input> extends StandardSchema<Input> {
  readonly "~standard": StandardSchema<Input>["~standard"] & {
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** A tool of the application. */
export interface McpTool<Input = unknown> {
  /** What the tool does and when to use it, for the model. */
  readonly description: string;
  /**
   * The schema of the input: one of a library that implements Standard Schema with JSON Schema, which also checks each
   * call, or a JSON Schema. Of a JSON Schema, only the list `required` is checked. Without a schema, the tool has no
   * input.
   */
  readonly input?: ToolSchema<Input> | Readonly<Record<string, unknown>>;
  /**
   * Runs a call. A string is the text that the model reads, an object with a list `content` is a result of MCP, and any
   * other object is a structured result. The model also reads the message of a {@link ToolError}; the message of
   * any other error stays in the application.
   */
  readonly run: (
    input: unknown extends Input ? Readonly<Record<string, unknown>> : Input,
    context: ToolContext,
  ) => unknown;
}

/**
 * Creates a server of MCP from tools of the application.
 *
 * @param name the name under which agents list the server; many agents prefix it to the names of the tools.
 * @throws {InvalidOptionError} when a name is not made of letters, digits, `_` and `-`, or a tool is not complete.
 * @example
 * ```ts
 * const tickets = mcpTools("tickets", {
 *   find: {
 *     description: "Finds tickets by text",
 *     input: z.object({ text: z.string() }),
 *     run: ({ text }, { session, signal }) => findTickets(text, { cwd: session.cwd, signal }),
 *   },
 * });
 * ```
 */
export function mcpTools<Inputs extends Record<string, unknown>>(
  name: string,
  tools: { readonly [Name in keyof Inputs]: McpTool<Inputs[Name]> },
): McpSource {
  checkName("mcpTools", "name", name);
  const list = new Map(
    Object.entries(tools as unknown as Readonly<Record<string, McpTool<never>>>).map(([key, tool]) => {
      checkName("mcpTools", `tools.${shorten(key)}`, key);
      checkOptions<McpTool<never>>("mcpTools", tool, toolKinds, `tools.${key}.`);
      return [key, { ...tool, schema: jsonSchemaOf(key, tool.input) } as ListedTool];
    }),
  );
  return { name, open: (session, report) => toolServer(name, list, session, report) };
}

type ListedTool = McpTool<never> & { readonly schema: JsonObject };

const toolKinds: OptionKinds<McpTool<never>> = { description: "value!", input: "value", run: "function!" };

function jsonSchemaOf(name: string, input: McpTool<never>["input"]): JsonObject {
  if (input === undefined) return { type: "object", properties: {} };
  if (!("~standard" in input)) return { type: "object", ...input };
  const { jsonSchema } = (input as ToolSchema<never>)["~standard"];
  if (typeof jsonSchema?.input !== "function")
    throw new InvalidOptionError(
      "mcpTools",
      `tools.${name}.input`,
      "is a schema that can't be converted to JSON Schema: use a newer version of its library, or pass a JSON Schema",
    );
  return jsonSchema.input({ target: "draft-2020-12" });
}

/** Returns the handler of a server that has tools only. */
function toolServer(
  name: string,
  tools: ReadonlyMap<string, ListedTool>,
  session: McpSession,
  report: Parameters<McpSource["open"]>[1],
): McpHandler {
  const complete = { resultType: "complete" };
  const cached = { ttlMs: 0, cacheScope: "private" };
  const _meta = { [SERVER_INFO]: { name, version: "1.0.0" } };
  return async (request) => {
    const { method, params = {} } = request;
    if (method === "server/discover")
      return {
        result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...complete, ...cached, _meta },
      };
    if (method === "tools/list") {
      const list = [...tools].map(([key, { description, schema }]) => ({
        name: key,
        description,
        inputSchema: schema,
      }));
      return { result: { tools: list, ...complete, ...cached, _meta } };
    }
    if (method !== "tools/call") return { error: { code: -32601, message: `Method not found: ${shorten(method)}` } };
    const tool = typeof params.name === "string" ? tools.get(params.name) : undefined;
    if (tool === undefined) return invalid(`Tool ${shorten(String(params.name))} not found`);
    const read = readInput(tool, params.arguments ?? {});
    const input = read instanceof Promise ? await read : read;
    if ("error" in input) return input;
    try {
      const result = await tool.run(input.value as never, new CallContext(session, request));
      return { result: { ...toolResult(result), ...complete, _meta } };
    } catch (cause) {
      if (!isToolError(cause) && !request.signal.aborted)
        report({ code: "tool_failed", message: `The tool ${params.name} of the server ${name} failed`, cause });
      const text = isToolError(cause) ? cause.message : "The tool failed.";
      return { result: { content: [{ type: "text", text }], isError: true, ...complete, _meta } };
    }
  };
}

function invalid(message: string): McpOutcome {
  return { error: { code: -32602, message } };
}

type ReadInput = { readonly value: unknown } | Extract<McpOutcome, { error: unknown }>;

/** Returns the checked input of a call, or the error of the call; a promise only if a schema checks it. */
function readInput({ input, schema }: ListedTool, value: unknown): ReadInput | Promise<ReadInput> {
  if (!isJsonObject(value)) return refuse("arguments must be an object");
  if (input === undefined || !("~standard" in input)) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const missing = required.find((member) => !Object.hasOwn(value, member));
    return missing === undefined ? { value } : refuse(`${missing} is missing`);
  }
  return validated(input as ToolSchema<never>, value);
}

async function validated(schema: ToolSchema<never>, value: unknown): Promise<ReadInput> {
  const checked = await schema["~standard"].validate(value);
  if (checked.issues === undefined) return { value: checked.value };
  const [issue] = checked.issues;
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  return refuse([...path, issue?.message ?? "invalid"].join(": "));
}

function refuse(problem: string): Extract<McpOutcome, { error: unknown }> {
  return { error: { code: -32602, message: `Invalid input: ${shorten(problem)}` } };
}

/** The context of a call. Most tools use few of its members, so each is created on demand. */
class CallContext implements ToolContext {
  readonly session: McpSession;
  readonly #request: McpRequest;

  constructor(session: McpSession, request: McpRequest) {
    this.session = session;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** Tools take it out of the context. */
  get progress(): ToolContext["progress"] {
    const { params, notify } = this.#request;
    const { progressToken } = (isJsonObject(params?._meta) ? params._meta : {}) as JsonObject;
    if (progressToken === undefined) return () => {};
    return (progress, total, message) => {
      const more = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      notify("notifications/progress", { progressToken, progress, ...more });
    };
  }
}

function toolResult(result: unknown): JsonObject {
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  if (isJsonObject(result) && Array.isArray(result.content)) return result;
  const text = result === undefined ? "" : JSON.stringify(result);
  return { content: [{ type: "text", text }], ...(isJsonObject(result) && { structuredContent: result }) };
}
