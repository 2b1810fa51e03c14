import type { EverythingCommand } from "../command.js";
import { ANNOUNCED, ECHO, PONG } from "../extensions.js";

/**
 * Sends an extension notification to the client and, if the client announces that it handles the method, an extension
 * request.
 */
export const extension: EverythingCommand = {
  name: "extension",
  description: "Send an extension notification, and an extension request to clients that advertise a handler for it",
  async play(scene) {
    const { client, sessionId } = scene.turn;
    await client.extensionNotify(PONG, { sessionId, text: "Extension notifications may be ignored." });
    if (client.capabilities._meta?.[ANNOUNCED] == null) {
      return scene.sendText(
        `I sent ${PONG}. To clients with \`"${ANNOUNCED}"\` in the \`_meta\` of their capabilities I also send ${ECHO}.`,
      );
    }
    const answer = await client.extensionRequest(ECHO, { sessionId, text: "Are you there?" });
    await scene.sendText(`I sent ${PONG} and ${ECHO}. You answered: ${JSON.stringify(answer)}`);
  },
};
