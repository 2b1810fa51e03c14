import type { Conversation } from "../conversation.js";
import { type Candidate, type Completion, complete } from "../input/complete.js";
import { listFiles } from "../prompt/list-files.js";
import { cleanLine } from "../text/clean.js";
import { chatCommands } from "./index.js";

/** Completes the text before the cursor with a command of the chat, a command of the agent, or a file. */
export function completeIn(chat: Conversation, text: string, cursor: number): Completion | undefined {
  return complete(text, cursor, {
    commands: () => commandCandidates(chat),
    argumentsOf: (name, words) => chatCommands.find((each) => each.name === name)?.complete?.(chat, words) ?? [],
    files: (prefix) => listFiles(chat.cwd, prefix),
  });
}

/** Returns whether the agent has advertised a command, or has not advertised any commands yet. */
export function isOfAgent({ session }: Conversation, name: string): boolean {
  const { commands = [] } = session?.transcript.snapshot ?? {};
  return commands.length === 0 || commands.some((command) => command.name === name);
}

function commandCandidates({ session }: Conversation): Candidate[] {
  const own = chatCommands.map(({ name, summary }) => ({ text: name, hint: summary }));
  const taken = new Set(own.map(({ text }) => text));
  const theirs = (session?.transcript.snapshot.commands ?? []).map(({ name, description }) => ({
    text: cleanLine(taken.has(name) ? `/${name}` : name),
    hint: cleanLine(description),
  }));
  return [...own, ...theirs];
}
