import { isAuthRequired } from "@acp-kit/client";
import { cleanLine } from "../text/clean.js";
import type { ChatCommand } from "./chat-command.js";

export const login: ChatCommand = {
  name: "login",
  hint: "[method]",
  summary: "log in to the agent",
  async run(chat, words) {
    const { agent, ui, paint, setup } = chat;
    const { authMethods } = agent;
    if (authMethods.length === 0) throw new Error("This agent offers no login method.");
    const method = authMethods.find(({ id, name }) => id === words || name.toLowerCase() === words.toLowerCase());
    if (words !== "" && method === undefined) {
      throw new Error(
        `There is no login method "${words}"; this agent offers: ${authMethods.map(({ id }) => cleanLine(id)).join(", ")}.`,
      );
    }
    const done = await agent.login(method);
    ui.print(done ? `${paint.green("✓")} Logged in.` : paint.yellow("Not logged in."));
    if (done && chat.session === undefined) await chat.open(() => agent.newSession(setup));
  },
  complete: ({ agent }, words) =>
    words.length > 0 ? [] : agent.authMethods.map(({ id, name }) => ({ text: id, hint: cleanLine(name) })),
};

export const logout: ChatCommand = {
  name: "logout",
  summary: "log out of the agent",
  async run({ agent, ui, paint }) {
    await agent.logout().catch((error: unknown) => {
      if (!isAuthRequired(error)) throw error; // already logged out
    });
    ui.print(`${paint.green("✓")} Logged out.`);
  },
};
