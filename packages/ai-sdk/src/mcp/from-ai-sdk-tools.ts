import { type McpSource, type McpTool, mcpTools } from "@acp-kit/mcp";
import { InvalidOptionError } from "@acp-kit/protocol";
import { asSchema, type ToolSet } from "ai";

type AiTool = ToolSet[string];

/**
 * Creates a server of MCP from tools of the AI SDK, so that an agent can call them: pass `serveMcp` of it as the option
 * `mcp` of `acpProvider` or `connectAgent`. The calls run in this process; the AI SDK receives them as calls that the
 * provider runs.
 *
 * The model reads the message of a `ToolError` of `@acp-kit/mcp`; that of any other error stays in the application.
 *
 * @param name the name under which agents list the server.
 * @throws {InvalidOptionError} when a tool has no `execute`, or `needsApproval`: agents ask for permission themselves,
 * and the option `permissions` decides.
 * @example
 * ```ts
 * const provider = acpProvider(agent, { cwd, mcp: serveMcp(fromAiSdkTools("tickets", { find })) });
 * ```
 */
export function fromAiSdkTools(name: string, tools: ToolSet): McpSource {
  const fail = (tool: string, problem: string): never => {
    throw new InvalidOptionError("fromAiSdkTools", `tools.${tool}`, problem);
  };
  for (const [key, { execute, needsApproval }] of Object.entries(tools) as [string, AiTool][]) {
    if (typeof execute !== "function") fail(key, "has no execute");
    if (needsApproval !== undefined && needsApproval !== false)
      fail(key, "has needsApproval, which can't be kept: the agent asks, and the option permissions decides");
  }
  const names = Object.keys(tools);
  mcpTools(name, Object.fromEntries(names.map((key) => [key, { description: "", run: () => "" }]))); // checks the names
  let source: Promise<McpSource> | undefined;
  return {
    name,
    open(session, report) {
      source ??= sourceOf(name, tools);
      const handler = source.then((server) => server.open(session, report));
      handler.catch(() => {}); // each request rejects with this error
      return async (request) => (await handler)(request);
    },
  };
}

async function sourceOf(name: string, tools: ToolSet): Promise<McpSource> {
  const converted = Object.entries(tools).map(async ([key, tool]) => [key, await toolOf(tool)] as const);
  return mcpTools(name, Object.fromEntries(await Promise.all(converted)));
}

async function toolOf(tool: AiTool): Promise<McpTool> {
  const schema = asSchema(tool.inputSchema);
  const json = (await schema.jsonSchema) as Readonly<Record<string, unknown>>;
  const { validate } = schema;
  const input =
    validate === undefined
      ? json
      : {
          "~standard": {
            version: 1 as const,
            vendor: "ai",
            validate: async (value: unknown) => {
              const checked = await validate(value);
              return checked.success ? { value: checked.value } : { issues: [{ message: checked.error.message }] };
            },
            jsonSchema: { input: () => json },
          },
        };
  return {
    description: typeof tool.description === "string" ? tool.description : "",
    input: input as NonNullable<McpTool["input"]>,
    async run(value, { signal }) {
      const options = { toolCallId: crypto.randomUUID(), messages: [], abortSignal: signal };
      return last(await tool.execute?.(value as never, options as never));
    },
  };
}

/** Returns the result of a tool; the last one, if it also returns preliminary ones. */
async function last(output: unknown): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output)) return output;
  let final: unknown;
  for await (const each of output as AsyncIterable<unknown>) final = each;
  return final;
}
