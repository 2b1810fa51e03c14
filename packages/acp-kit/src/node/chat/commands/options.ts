import type { SelectOption, Session, SessionOption } from "@acp-kit/client";
import { columns } from "../../text-columns.js";
import { type Conversation, sessionOf } from "../conversation.js";
import type { Candidate } from "../input/complete.js";
import { cleanLine } from "../text/clean.js";
import { currentValue } from "../view/status-line.js";
import type { ChatCommand } from "./chat-command.js";

export const mode: ChatCommand = {
  name: "mode",
  hint: "[mode]",
  summary: "show or change the mode",
  run: (chat, words) => choose(chat, "mode", words),
  complete: ({ session }, words) => (words.length === 0 ? choicesOf(session?.options.get("mode")) : []),
};

export const modes: ChatCommand = {
  name: "modes",
  summary: "list the modes",
  run: (chat) => choose(chat, "mode", ""),
};

export const model: ChatCommand = {
  name: "model",
  hint: "[model]",
  summary: "list the models, or change the model",
  run: (chat, words) => choose(chat, "model", words),
  complete: ({ session }, words) => (words.length === 0 ? choicesOf(session?.options.get("model")) : []),
};

export const config: ChatCommand = {
  name: "config",
  hint: "[option [value]]",
  summary: "list the options, or set one",
  async run(chat, words) {
    const [id = "", ...value] = words.split(/\s+/);
    if (id === "") list(chat, sessionOf(chat));
    else await choose(chat, id, value.join(" "));
  },
  complete({ session }, words) {
    if (words.length === 0)
      return [...(session?.options ?? [])].map(({ id, name }) => ({ text: id, hint: cleanLine(name) }));
    return words.length === 1 ? choicesOf(session?.options.get(words[0] ?? "")) : [];
  },
};

/** Sets an option. Without a value, lists the values of the option. */
async function choose(chat: Conversation, idOrCategory: string, wanted: string): Promise<void> {
  const { ui, paint } = chat;
  const { options } = sessionOf(chat);
  const option = options.get(idOrCategory);
  if (option === undefined) {
    const ids = [...options].map(({ id }) => id).join(", ");
    throw new Error(`This agent has no option "${idOrCategory}"${ids === "" ? "" : `; its options are: ${ids}`}.`);
  }
  if (wanted === "") {
    ui.print("", paint.bold(cleanLine(option.name)), ...choiceLines(chat, option));
    return;
  }
  await options.set(option.id, valueFor(option, wanted));
  const now = options.get(option.id) ?? option;
  ui.print(`${paint.green("✓")} ${cleanLine(option.name)}: ${paint.bold(currentValue(now))}`);
}

function valueFor(option: SessionOption, wanted: string): string | boolean {
  if (option.type === "boolean") {
    if (/^(?:on|true|yes|y)$/i.test(wanted)) return true;
    if (/^(?:off|false|no|n)$/i.test(wanted)) return false;
    throw new Error(`The option ${option.id} can be on or off, not "${wanted}".`);
  }
  const same = (text: string): boolean => text.toLowerCase() === wanted.toLowerCase();
  const fits = ({ value, name }: SelectOption["choices"][number]): boolean => same(value) || same(name);
  const choice = option.choices.find(({ value }) => value === wanted) ?? option.choices.find(fits);
  if (choice !== undefined) return choice.value;
  throw new Error(
    `The option ${option.id} has no value "${wanted}"; its values are: ${option.choices.map(({ value }) => value).join(", ")}.`,
  );
}

function list({ ui, paint }: Conversation, session: Session): void {
  const rows = [...session.options].map((option) => [
    `  ${paint.cyan(option.id)}`,
    currentValue(option),
    paint.dim(option.type === "boolean" ? "on, off" : option.choices.map(({ value }) => cleanLine(value)).join(", ")),
  ]);
  ui.print("", ...(rows.length === 0 ? [paint.dim("This agent has no options.")] : columns(rows)));
}

function choiceLines({ paint }: Conversation, option: SessionOption): string[] {
  if (option.type === "boolean") return [`  ${currentValue(option)}`];
  const rows = option.choices.map(({ value, name, description }) => [
    `${value === option.value ? paint.green("●") : " "} ${paint.cyan(cleanLine(value))}`,
    name === value ? "" : cleanLine(name),
    paint.dim(cleanLine(description ?? "")),
  ]);
  return columns(rows).map((line) => `  ${line}`);
}

function choicesOf(option: SessionOption | undefined): Candidate[] {
  if (option?.type === "boolean") return [{ text: "on" }, { text: "off" }];
  return (option?.choices ?? []).map(({ value, name, description }) => ({
    text: value,
    hint: cleanLine(description ?? name),
  }));
}
