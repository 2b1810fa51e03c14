import type { IncomingSessionConfigOption, SessionModeState } from "@acp-kit/types";
import type { ModelState } from "./model-state.js";

interface SessionOptionBase {
  /** The unique id of the option, for `session.options.set`. */
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /**
   * The category of the option, such as `mode`, `model`, `model_config` or `thought_level`. It only helps to place the
   * option in a user interface.
   */
  readonly category: string | undefined;
  /**
   * The part of the protocol that the option comes from. Older agents send modes and models separate from config
   * options.
   */
  readonly source: "config" | "modes" | "models";
}

/** One of the values to choose from for a {@link SelectOption}. */
export interface OptionChoice {
  readonly value: string;
  readonly name: string;
  readonly description: string | undefined;
  /** The heading under which a list of options shows this value. */
  readonly group: string | undefined;
}

/** A session option with one of several values. Some agents have a current value that `choices` does not contain. */
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

/** An option of a session, such as its mode or its model. */
export type SessionOption = SelectOption | BooleanOption;

/** The options of a session as the agent sends them. */
export interface OptionState {
  readonly configOptions?: readonly IncomingSessionConfigOption[] | undefined;
  readonly modes?: SessionModeState | undefined;
  readonly models?: ModelState | undefined;
}

/**
 * Combines the modes, models and config options of a session into one list. If the agent sends config options, modes
 * are left out, because the protocol then repeats them as a config option. Models are left out if a config option
 * selects the model. Config options of a kind that this version doesn't know are left out; the snapshot of the
 * transcript still contains them.
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
