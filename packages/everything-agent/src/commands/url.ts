import type { EverythingCommand } from "../command.js";

/** Requests that the user open a page, and notifies the client when the user has finished there. */
export const url: EverythingCommand = {
  name: "url",
  description: "Send the user to a web page and notify the client when the user is done there",
  needs: "clientCapabilities.elicitation.url",
  async play(scene) {
    const elicitationId = `page_${scene.session.sessionId}_${scene.session.turns}`;
    const message = "Please look at the protocol's home page.";
    const page = { elicitationId, message, url: "https://agentclientprotocol.com/" };
    const { action } = await scene.turn.client.elicitUrl(page);
    if (action !== "accept") return scene.sendText(`You chose: ${action}.`);
    await scene.step(); // a real agent would learn from the server of the page that the user has finished
    await scene.turn.client.completeElicitation(elicitationId);
    await scene.sendText("You agreed to open the page, and I pretend that you have read it.");
  },
};
