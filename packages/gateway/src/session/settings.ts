import type { SessionSetup, SettingUpdate } from "../journal/journal-entry.js";

/** The update that other clients need after a client changed a setting: agents need not send it. */
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

/** What an agent that was started again has set otherwise than the journal says. */
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

function modeOf(modes: unknown): unknown {
  return (modes as { readonly currentModeId?: unknown } | null | undefined)?.currentModeId;
}
