// #region terminal
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const left = once(terminal, "close").then(() => "");
const ask = (text: string, signal?: AbortSignal): Promise<string> =>
  // `question` rejects once the terminal is closed
  Promise.race([left, terminal.question(text, signal ? { signal } : {})]);

// #endregion terminal

// #region permissions
import {
  allowReads,
  askUser,
  optionOfKey,
  permissionKeys,
  permissionView,
  permissionViewText,
  rememberDecisions,
  type ShowQuestion,
} from "@acp-kit/client";

const show: ShowQuestion = async ({ request, options }, { signal }) => {
  const list = permissionKeys(options)
    .map(({ key, option }) => `  ${key} ${option.name}\n`)
    .join("");
  const line = await ask(`\n${permissionViewText(permissionView(request))}\n${list}? `, signal);
  const option = optionOfKey(options, line);
  return option ? { outcome: "selected", optionId: option.optionId } : "reject";
};
const permissions = [rememberDecisions(), allowReads({ within: "session" }), askUser(show)];

// #endregion permissions

// #region updates
import type { UpdateListener } from "@acp-kit/client";

const onUpdate: UpdateListener = (update) => {
  if (update.sessionUpdate === "tool_call") console.log(`\n[${update.kind}] ${update.title}`);
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
    process.stdout.write(update.content.text);
};

// #endregion updates

// #region connect
import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";
import { workspaceFiles, workspaceTerminals } from "@acp-kit/workspace";

const cwd = process.cwd();
const [command = "acp-everything-agent", ...args] = process.argv.slice(2);
await using agent = await connectAgent(spawnAgent({ command, args }), {
  info: { name: "client-in-60-lines", version: "1.0.0" },
  files: workspaceFiles({ roots: [cwd] }),
  terminals: workspaceTerminals({ roots: [cwd] }),
  permissions,
});
const session = await agent.newSession({ cwd }, { onUpdate });
terminal.on("SIGINT", () => (session.turn ? session.cancel() : terminal.close()));

// #endregion connect

// #region loop
import { type PromptBuilder, prompt } from "@acp-kit/client";

/** `@path` attaches a file. */
const promptOf = (line: string): PromptBuilder =>
  [...line.matchAll(/(?<=^|\s)@(\S+)/g)].reduce(
    (built, [, path = ""]) => built.file(resolve(path)),
    prompt().text(line),
  );

for (let line = await ask("> "); line !== ""; line = await ask("> ")) {
  const { stopReason } = await session
    .prompt(promptOf(line))
    .result.catch((error: Error) => ({ stopReason: error.message }));
  console.log(`\n(${stopReason})`);
}
terminal.close();
// #endregion loop
