import type { SessionSetup, SettingUpdate } from "../journal/journal-entry.js";

/**
 * Returns the update that other clients receive after a client changed a setting. The gateway sends it, because agents
 * do not have to send one.
 */
export function settingOf(
  method: string,
  params: Readonly<Record<string, unknown>>,
  result: unknown,
): SettingUpdate | undefined {
  if (method === "session/set_mode") return { sessionUpdate: "current_mode_update", currentModeId: params.modeId };
  const { configOptions } = (result ?? {}) as { readonly configOptions?: unknown };
  return method === "session/set_config_option" && Array.isArray(configOptions)
    ? { sessionUpdate: "config_option_update", configOptions }
    : undefined;
}

/** Returns the settings of a restarted agent that differ from the settings in the journal. */
export function changedSettings(before: SessionSetup, now: SessionSetup): SettingUpdate[] {
  const updates: SettingUpdate[] = [];
  const currentModeId = modeOf(now.modes);
  if (currentModeId !== undefined && currentModeId !== modeOf(before.modes))
    updates.push({ sessionUpdate: "current_mode_update", currentModeId });
  const { configOptions } = now;
  if (configOptions !== undefined && JSON.stringify(configOptions) !== JSON.stringify(before.configOptions))
    updates.push({ sessionUpdate: "config_option_update", configOptions });
  return updates;
}

/** Returns the updates that report all settings of an agent. */
export function allSettings({ modes, configOptions }: SessionSetup): SettingUpdate[] {
  return changedSettings({ configOptions: null }, { modes, configOptions });
}

function modeOf(modes: unknown): unknown {
  return (modes as { readonly currentModeId?: unknown } | null | undefined)?.currentModeId;
}
