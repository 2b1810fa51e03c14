import type { PermissionOption } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";
import { configOptions, modeState } from "../settings.js";

/**
 * Shows how an agent changes its mode, as agents do when the user accepts a plan. The agent sends a tool call, requests
 * permission, and then reports the new mode both as a mode and as a config option.
 */
export const mode: EverythingCommand = {
  name: "mode",
  description: "Request permission to switch to another mode, and switch to it",
  hint: "[ask | plan | code]",
  async play(scene) {
    const { availableModes, currentModeId } = modeState(scene.session.settings);
    const others = availableModes.filter(({ id }) => id !== currentModeId);
    const wanted = others.find(({ id }) => id === scene.args) ?? others[0];
    if (wanted === undefined) return;
    const options: PermissionOption[] = [
      { optionId: "switch", name: `Switch to ${wanted.name}`, kind: "allow_once" },
      { optionId: "stay", name: "Stay", kind: "reject_once" },
    ];
    const switched = await scene.tool({ kind: "switch_mode", title: `Switch to ${wanted.name}` }, async (call) => {
      const { allowed } = await call.requestPermission(options);
      if (!allowed) return call.fail("The user wants to stay in this mode");
      scene.session.set("mode", wanted.id);
      await scene.turn.mode(wanted.id);
      await scene.turn.configOptions(configOptions(scene.session.settings));
    });
    if (switched) await scene.sendText(`I am in ${wanted.name} mode now.`);
  },
};
