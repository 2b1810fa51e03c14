import type { IncomingSessionConfigOption, SessionModeState } from "@acp-kit/types";
import type { ModelState } from "./model-state.js";

interface SessionOptionBase {
  /** What {@link SessionOptions.set} takes; unique. */
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** `mode`, `model`, `model_config`, `thought_level` or anything else; only for showing it in the right place. */
  readonly category: string | undefined;
  /** Which part of the protocol it is from: older agents tell modes and models apart from options. */
  readonly source: "config" | "modes" | "models";
}

/** A value that a {@link SelectOption} may have. */
export interface OptionChoice {
  readonly value: string;
  readonly name: string;
  readonly description: string | undefined;
  /** The heading it stands under. */
  readonly group: string | undefined;
}

/** One of several values. The current one need not be among the choices: some agents are in states they don't offer. */
export interface SelectOption extends SessionOptionBase {
  readonly type: "select";
  readonly value: string;
  readonly choices: readonly OptionChoice[];
}

/** On or off. */
export interface BooleanOption extends SessionOptionBase {
  readonly type: "boolean";
  readonly value: boolean;
}

/** Something about a session that can be set. */
export type SessionOption = SelectOption | BooleanOption;

/** What an agent tells about what can be set. */
export interface OptionState {
  readonly configOptions?: readonly IncomingSessionConfigOption[] | undefined;
  readonly modes?: SessionModeState | undefined;
  readonly models?: ModelState | undefined;
}

/**
 * One list of what an agent tells in three ways. Where it has config options, its modes are left out, as the protocol says: they are the same
 * thing twice. Its models are left out where an option is about the model. Kinds of options that this version doesn't know are left out; they
 * are still in `session.configOptions`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-config-options
 */
export function sessionOptions({ configOptions = [], modes, models }: OptionState): readonly SessionOption[] {
  const options = configOptions.flatMap((option) => fromConfig(option) ?? []);
  if (modes !== undefined && configOptions.length === 0) options.push(fromModes(modes));
  const isModel = ({ id, category }: SessionOption): boolean => category === "model" || id === "model";
  if (models !== undefined && !options.some(isModel)) options.push(fromModels(models));
  return options;
}

function fromConfig(option: IncomingSessionConfigOption): SessionOption | undefined {
  const { id, name } = option;
  const base = {
    id,
    name,
    description: option.description ?? undefined,
    category: option.category ?? undefined,
    source: "config" as const,
  };
  if (option.type === "boolean") return { type: "boolean", ...base, value: option.currentValue };
  if (option.type !== "select") return undefined;
  const choices = option.options.flatMap((entry): OptionChoice[] =>
    "options" in entry ? entry.options.map((choice) => choiceOf(choice, entry.name)) : [choiceOf(entry)],
  );
  return { type: "select", ...base, value: option.currentValue, choices };
}

function fromModes({ currentModeId, availableModes }: SessionModeState): SelectOption {
  return {
    type: "select",
    id: "mode",
    name: "Mode",
    description: undefined,
    category: "mode",
    source: "modes",
    value: currentModeId,
    choices: availableModes.map(({ id, ...mode }) => choiceOf({ value: id, ...mode })),
  };
}

function fromModels({ currentModelId, availableModels }: ModelState): SelectOption {
  return {
    type: "select",
    id: "model",
    name: "Model",
    description: undefined,
    category: "model",
    source: "models",
    value: currentModelId,
    choices: availableModels.map(({ modelId, ...model }) => choiceOf({ value: modelId, ...model })),
  };
}

function choiceOf(
  choice: { readonly value: string; readonly name: string; readonly description?: string | null },
  group?: string,
): OptionChoice {
  return { value: choice.value, name: choice.name, description: choice.description ?? undefined, group };
}
