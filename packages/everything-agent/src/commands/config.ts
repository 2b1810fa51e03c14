import type { EverythingCommand } from "../command.js";
import { configOptions } from "../settings.js";

/** The agent changes an option by itself, and with it the one that depends on it. */
export const config: EverythingCommand = {
  name: "config",
  description: "Change the model, and the option that depends on the model",
  async play(scene) {
    const model = scene.session.settings.model === "raven" ? "parrot" : "raven";
    scene.session.set("model", model);
    if (model === "raven") scene.session.set("thinking", "high");
    await scene.turn.configOptions(configOptions(scene.session.settings));
    await scene.say(`The model is ${model} now, and thinking is ${scene.session.settings.thinking}.`);
  },
};
