import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import type { Json, ModelReply, ModelRequest, ModelTool } from "./model-request.js";

/** The usual names of agents' tools, by the purpose of the tool. */
const toolNames = {
  read: /^(?:mcp__\w+__)?(?:read(?:_?(?:text_?)?files?)?|view|open_file)$/i,
  write: /^(?:mcp__\w+__)?(?:write(?:_?(?:to_?)?(?:text_?)?file)?|create(?:_?file)?)$/i,
  shell: /^(?:mcp__\w+__)?(?:bash|shell(?:_command)?|run_shell_command|exec(?:ute)?_command|run_commands?)$/i,
  plan: /^(?:mcp__\w+__)?(?:todo_?write|todo_?list|write_todos|update_plan)$/i,
} as const;

type ToolUse = keyof typeof toolNames;

/**
 * The instructions that the model recognizes in a text of the user, and its reply to each. Each expression takes linear
 * time, and is matched only with the end of the text.
 */
const instructions: readonly {
  readonly text: RegExp;
  reply(match: RegExpMatchArray, request: ModelRequest): ModelReply;
}[] = [
  { text: /Answer with the single word (\w{1,40})/, reply: ([, word = ""]) => ({ text: [word] }) },
  {
    text: /Count from 1 to (\d{1,5}) in words/,
    reply: ([, count = "1"]) => ({
      text: Array.from({ length: Number(count) }, (_, index) => `number ${index + 1}\n`),
      everyMs: 100,
    }),
  },
  {
    text: /Replace the content of the file (\S{1,1000}) by the word (\w{1,40})/,
    reply: ([, path = "", word = ""], request) => use(request, "write", { path, content: word }),
  },
  {
    text: /Write the text (\w{1,40}) into the file (\S{1,1000}) with/,
    reply: ([, word = "", path = ""], request) => use(request, "write", { path, content: word }),
  },
  {
    text: /Read the file (\S{1,1000}) with/,
    reply: ([, path = ""], request) => use(request, "read", { path }),
  },
  {
    text: /Run the shell command: ([^\n]{1,1000})/,
    reply: ([, command = ""], request) => use(request, "shell", { command }),
  },
  { text: /Make a plan of/, reply: (_match, request) => use(request, "plan", {}) },
];

/** How many characters at the end of a prompt are searched: agents put their context before the user's words. */
const SEARCHED_LENGTH = 20_000;

/**
 * A script of a model that responds to the prompts of the preset `plain` of `@acp-kit/conformance`: it repeats a word,
 * counts slowly, and calls the agent's tools that read and write files, run commands and make plans. After it has
 * received the results of its tool calls, the model responds "Done."; to any other prompt, it responds "Hello." A
 * request for JSON of a schema gets an example of that schema.
 */
export function plainModel(request: ModelRequest): ModelReply {
  if (request.outputSchema) return { text: [JSON.stringify(exampleOf(request.outputSchema))] };
  const done = request.results.length > 0;
  for (const prompt of request.prompts.toReversed()) {
    for (const { text, reply } of instructions) {
      const match = prompt.slice(-SEARCHED_LENGTH).match(text);
      if (match) return done ? { text: ["Done."] } : reply(match, request);
    }
  }
  return { text: [done ? "Done." : "Hello."] };
}

interface Values {
  readonly path?: string;
  readonly content?: string;
  readonly command?: string;
}

function use({ tools }: ModelRequest, purpose: ToolUse, values: Values): ModelReply {
  const tool = tools.find(({ name }) => toolNames[purpose].test(name));
  if (!tool) return { text: [`I have no tool to ${purpose === "shell" ? "run commands" : purpose}.`] };
  return { calls: [{ name: tool.name, input: inputFor(tool, values) }] };
}

/** Returns an input for a tool's schema: one of `values` if a property's name suggests it, else any. */
function inputFor({ schema }: ModelTool, values: Values): Json {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value = /path|file/i.test(name)
        ? values.path
        : /content|text/i.test(name)
          ? values.content
          : /command|cmd/i.test(name)
            ? values.command
            : undefined;
      if (value !== undefined) return [[name, isArray(property) ? [value] : value]];
      return required.has(name) ? [[name, exampleOf(property)]] : [];
    }),
  );
}

const isArray = (schema: unknown): boolean => isJsonObject(schema) && schema.type === "array";

/** The maximum nesting of an example, because a schema can refer to itself. */
const DEPTH = 6;

function exampleOf(schema: unknown, depth = 0): unknown {
  if (!isJsonObject(schema) || depth > DEPTH) return "x";
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = [schema.anyOf, schema.oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  if (first !== undefined) return exampleOf(first, depth + 1);
  switch (String(schema.type).toLowerCase()) {
    case "object": {
      const properties = isJsonObject(schema.properties) ? schema.properties : {};
      const required = Array.isArray(schema.required) ? schema.required : Object.keys(properties);
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[String(name)], depth + 1)]));
    }
    case "array":
      return ["first", "second", "third"].map(() => exampleOf(schema.items, depth + 1));
    case "boolean":
      return false;
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    default:
      return "step";
  }
}
