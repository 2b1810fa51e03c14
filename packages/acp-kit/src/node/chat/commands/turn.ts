import type { ChatCommand } from "./chat-command.js";

export const quit: ChatCommand = {
  name: "quit",
  summary: "quit, and end the agent",
  run: (chat) => chat.leave(),
};

export const cancel: ChatCommand = {
  name: "cancel",
  summary: "cancel the turn and queued prompts (Esc, Ctrl-C)",
  run(chat) {
    if (!chat.cancel()) chat.ui.print(chat.paint.dim("No turn is running."));
  },
};
