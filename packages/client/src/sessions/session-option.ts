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

/** A value that a {@link SelectOption} of a session may have. */
export interface OptionChoice {
  readonly value: string;
  readonly name: string;
  readonly description: string | undefined;
  /** The heading under which a list of options shows this value. */
  readonly group: string | undefined;
}

/**
 * A session option with one of several values. The current value may be missing in `choices`, because some agents have
 * values that they don't offer.
 */
export interface SelectOption extends SessionOptionBase {
  readonly type: "select";
  readonly value: string;
  readonly choices: readonly OptionChoice[];
}

/** A session option that is on or off. */
export interface BooleanOption extends SessionOptionBase {
  readonly type: "boolean";
  readonly value: boolean;
}

/** An option of a session, such as its model. */
export type SessionOption = SelectOption | BooleanOption;

/** The options of a session as the agent sends them. */
export interface OptionState {
  readonly configOptions?: readonly IncomingSessionConfigOption[] | undefined;
  readonly modes?: SessionModeState | undefined;
  readonly models?: ModelState | undefined;
}

/**
 * Combines modes, models and config options of a session into one list. If the agent sends config options, modes are
 * left out, because the protocol defines them as duplicates. Models are left out if a config option selects the model.
 * Kinds of config options that this version doesn't know are left out; `session.configOptions` still has them.
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
