import { invalidParams } from "@acp-kit/agent";
import { shorten } from "@acp-kit/protocol/internal";
import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from "@acp-kit/types";

/** The settings of a session that a user can change. */
export interface Settings {
  readonly mode: string;
  readonly model: string;
  readonly thinking: string;
  readonly loud: boolean;
}

/** The settings of a new session. */
export const defaultSettings: Settings = { mode: "ask", model: "parrot", thinking: "off", loud: false };

const modes = [
  { id: "ask", name: "Ask", description: "Ask before every change" },
  { id: "plan", name: "Plan", description: "Only plan, change nothing" },
  { id: "code", name: "Code", description: "Change without asking" },
];

const modelGroups = [
  {
    group: "birds",
    name: "Birds",
    options: [
      { value: "parrot", name: "Parrot", description: "Repeats its input" },
      { value: "raven", name: "Raven", description: "A pretended model that thinks before it responds" },
    ],
  },
  { group: "machines", name: "Machines", options: [{ value: "tape", name: "Tape recorder" }] },
];

const levels: readonly SessionConfigSelectOption[] = [
  { value: "off", name: "Off" },
  { value: "low", name: "Low" },
  { value: "high", name: "High" },
];

/** Returns the levels of thinking that the model offers. They are the values of an option that depends on the model. */
function levelsOf({ model }: Settings): SessionConfigSelectOption[] {
  return model === "raven" ? [...levels] : levels.filter(({ value }) => value === "off");
}

/**
 * Returns the modes for clients that don't know config options. The mode is the same setting as the config option
 * `mode`.
 */
export function modeState({ mode }: Settings): SessionModeState {
  return { currentModeId: mode, availableModes: modes.map((mode) => ({ ...mode })) };
}

/**
 * Returns an option of every kind: plain, grouped, dependent and boolean. The boolean option is sent only to clients
 * that support it.
 */
export function configOptions(settings: Settings): SessionConfigOption[] {
  return [
    {
      type: "select",
      id: "mode",
      name: "Mode",
      category: "mode",
      currentValue: settings.mode,
      options: modes.map(({ id, ...mode }) => ({ value: id, ...mode })),
    },
    {
      type: "select",
      id: "model",
      name: "Model",
      description: "This agent has no model; the option only demonstrates a setting",
      category: "model",
      currentValue: settings.model,
      options: modelGroups.map(({ options, ...group }) => ({ ...group, options: [...options] })),
    },
    {
      type: "select",
      id: "thinking",
      name: "Thinking",
      description: "Only the model Raven supports thinking",
      category: "thought_level",
      currentValue: settings.thinking,
      options: levelsOf(settings),
    },
    {
      type: "boolean",
      id: "loud",
      name: "Loud",
      description: "Answer in capitals",
      category: "_acp-kit.dev/voice",
      currentValue: settings.loud,
    },
  ];
}

/**
 * Returns the settings after a change of one option and of the option that depends on it.
 *
 * @throws {RpcError} `-32602` for an option or a value that isn't offered.
 */
export function changed(settings: Settings, configId: string, value: unknown): Settings {
  const option = configOptions(settings).find(({ id }) => id === configId);
  if (option === undefined)
    throw invalidParams(`Invalid params: configId: the agent has no such option`, { configId: shorten(configId) });
  const allowed = option.type === "boolean" ? [true, false] : option.options.flatMap(valuesOf);
  if (!allowed.includes(value as never))
    throw invalidParams(`Invalid params: value: the agent does not offer this value`, { configId });
  const next = { ...settings, [configId]: value };
  const canThink = levelsOf(next).some((level) => level.value === next.thinking);
  return canThink ? next : { ...next, thinking: "off" };
}

function valuesOf(option: SessionConfigSelectOption | { options: SessionConfigSelectOption[] }): string[] {
  return "options" in option ? option.options.map(({ value }) => value) : [option.value];
}
