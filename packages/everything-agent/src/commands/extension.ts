import type { EverythingCommand } from "../command.js";
import { ANNOUNCED, ECHO, PONG } from "../extensions.js";

/** The other direction of the extension: a notification to the client, and a request if the client announces that it handles it. */
export const extension: EverythingCommand = {
  name: "extension",
  description: "Send an extension notification, and an extension request to clients that advertise a handler for it",
  async play(scene) {
    const { client, sessionId } = scene.turn;
    await client.extensionNotify(PONG, { sessionId, text: "Extension notifications may be ignored." });
    if (client.capabilities._meta?.[ANNOUNCED] == null) {
      return scene.say(
        `I sent ${PONG}. To clients with \`"${ANNOUNCED}"\` in the \`_meta\` of their capabilities I also send ${ECHO}.`,
      );
    }
    const answer = await client.extensionRequest(ECHO, { sessionId, text: "Are you there?" });
    await scene.say(`I sent ${PONG} and ${ECHO}. You answered: ${JSON.stringify(answer)}`);
  },
};
