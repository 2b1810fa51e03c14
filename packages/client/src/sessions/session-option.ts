import type { IncomingSessionConfigOption, SessionModeState } from "@acp-kit/types";
import type { ModelState } from "./model-state.js";

interface SessionOptionBase {
  /** The id for {@link SessionOptions.set}; unique. */
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** `mode`, `model`, `model_config`, `thought_level` or any other; only for its place in a user interface. */
  readonly category: string | undefined;
  /** The part of the protocol that it is from: older agents have modes and models separate from options. */
  readonly source: "config" | "modes" | "models";
}

/** A value that a {@link SelectOption} may have. */
export interface OptionChoice {
  readonly value: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Its heading in a list. */
  readonly group: string | undefined;
}

/** One of several values. The current one may be missing in the choices: some agents have values that they don't offer. */
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

/** An option of a session. */
export type SessionOption = SelectOption | BooleanOption;

/** The options of a session as the agent sends them. */
export interface OptionState {
  readonly configOptions?: readonly IncomingSessionConfigOption[] | undefined;
  readonly modes?: SessionModeState | undefined;
  readonly models?: ModelState | undefined;
}

/**
 * Combines the three forms of options into one list. If there are config options, modes are left out, as the protocol says, because they are
 * duplicates. Models are left out if there is an option for the model. Kinds of options that this version doesn't know are left out; they
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
