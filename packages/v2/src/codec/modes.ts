import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { present } from "./objects.js";

/** The option of category `mode`, which takes the place of the session modes of version 1. */
export interface ModeOption {
  readonly configId: string;
  readonly modes: v1.SessionModeState;
}

/**
 * Finds the option that takes the place of the modes: the first option of type `select` and category `mode`.
 *
 * @see https://agentclientprotocol.com/protocol/v2/session-config-options
 */
export function modeOptionOf(options: readonly v2.IncomingSessionConfigOption[]): ModeOption | undefined {
  const option = options.find(({ type, category }) => type === "select" && category === "mode") as
    | v2.SelectSessionConfigOption
    | undefined;
  if (option === undefined) return undefined;
  const values = (option.options as (v2.SessionConfigSelectOption | v2.SessionConfigSelectGroup)[]).flatMap((value) =>
    "groupId" in value ? value.options : [value],
  );
  const availableModes = values.map(({ value, name, description }) => ({
    id: value as string,
    name,
    ...present({ description }),
  }));
  return { configId: option.configId, modes: { currentModeId: option.currentValue as string, availableModes } };
}

/**
 * Makes the modes of an agent of version 1 an option of category `mode`. Returns `undefined` if there is nothing to
 * choose, or if the agent sends such an option itself.
 *
 * @param options the other options of the session; the id of the new option is none of theirs.
 */
export function optionOfModes(
  modes: v1.SessionModeState | null | undefined,
  options: readonly v2.IncomingSessionConfigOption[],
): v2.SelectSessionConfigOption | undefined {
  if (!modes || modes.availableModes.length === 0 || modeOptionOf(options) !== undefined) return undefined;
  return {
    type: "select",
    configId: options.some(({ configId }) => configId === "mode") ? "_acp-kit_mode" : "mode",
    name: "Mode",
    category: "mode",
    currentValue: modes.currentModeId as string,
    options: modes.availableModes.map(({ id, name, description }) => ({
      value: id as string,
      name,
      ...present({ description }),
    })),
  };
}
