import type { EverythingCommand } from "../command.js";
import { configOptions } from "../settings.js";

/**
 * Shows how an agent changes an option, and a second option that depends on the first, without a request of the client.
 */
export const config: EverythingCommand = {
  name: "config",
  description: "Change the model, and the option that depends on the model",
  async play(scene) {
    const model = scene.session.settings.model === "raven" ? "parrot" : "raven";
    scene.session.set("model", model);
    if (model === "raven") scene.session.set("thinking", "high");
    await scene.turn.configOptions(configOptions(scene.session.settings));
    await scene.sendText(`The model is ${model} now, and thinking is ${scene.session.settings.thinking}.`);
  },
};
