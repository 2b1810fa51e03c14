import { invalidParams } from "@acp-kit/agent";
import { shorten } from "@acp-kit/protocol";
import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from "@acp-kit/types";

/** What a user can set in a session. */
export interface Settings {
  readonly mode: string;
  readonly model: string;
  readonly thinking: string;
  readonly loud: boolean;
}

/** The defaults, when the client never changes an option. */
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
      { value: "raven", name: "Raven", description: "Thinks before it repeats" },
    ],
  },
  { group: "machines", name: "Machines", options: [{ value: "tape", name: "Tape recorder" }] },
];

const levels: readonly SessionConfigSelectOption[] = [
  { value: "off", name: "Off" },
  { value: "low", name: "Low" },
  { value: "high", name: "High" },
];

/** How hard it can think depends on the model: the dependent option. */
function levelsOf({ model }: Settings): SessionConfigSelectOption[] {
  return model === "raven" ? [...levels] : levels.filter(({ value }) => value === "off");
}

/** The mode for clients that don't know config options: the same setting once more, kept in step (CFG-21). */
export function modeState({ mode }: Settings): SessionModeState {
  return { currentModeId: mode, availableModes: modes.map((mode) => ({ ...mode })) };
}

/** Every kind of option: plain, grouped, dependent, and a boolean one, which is only sent to clients that support it. */
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
      description: "There is no model; this is for show",
      category: "model",
      currentValue: settings.model,
      options: modelGroups.map(({ options, ...group }) => ({ ...group, options: [...options] })),
    },
    {
      type: "select",
      id: "thinking",
      name: "Thinking",
      description: "Only the raven can think",
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
 * The settings after one option was changed, what depends on it included.
 *
 * @throws {RpcError} `-32602` for an option or a value that isn't offered.
 */
export function changed(settings: Settings, configId: string, value: unknown): Settings {
  const option = configOptions(settings).find(({ id }) => id === configId);
  if (option === undefined)
    throw invalidParams(`Invalid params: configId: no such option`, { configId: shorten(configId) });
  const allowed = option.type === "boolean" ? [true, false] : option.options.flatMap(valuesOf);
  if (!allowed.includes(value as never)) throw invalidParams(`Invalid params: value: not offered`, { configId });
  const next = { ...settings, [configId]: value };
  const canThink = levelsOf(next).some((level) => level.value === next.thinking);
  return canThink ? next : { ...next, thinking: "off" };
}

function valuesOf(option: SessionConfigSelectOption | { options: SessionConfigSelectOption[] }): string[] {
  return "options" in option ? option.options.map(({ value }) => value) : [option.value];
}
