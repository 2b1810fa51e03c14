// Recipes for clients: docs/guides/recipes.md shows each region, recipes.test.ts runs it.
// #region text
import type { Session } from "@acp-kit/client";

export async function answerTo(session: Session, question: string): Promise<string> {
  let text = "";
  for await (const update of session.prompt(question)) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
  }
  return text;
}
// #endregion text

// #region time-limit
export async function answerWithin(session: Session, question: string, milliseconds: number): Promise<string> {
  const turn = session.prompt(question, { signal: AbortSignal.timeout(milliseconds) });
  return (await turn.result).stopReason; // "cancelled" when the time was up
}

// #endregion time-limit

// #region permissions
import { type AgentConnection, allowReads, connectAgent, reject, type Transport } from "@acp-kit/client";

/**
 * Allows the agent to read in the session's folders, except `.env` and `.git`. Rejects everything else, without a user.
 */
export function connectUnattended(transport: Transport): Promise<AgentConnection> {
  return connectAgent(transport, {
    permissions: [reject({ touching: [".env", ".git"] }), allowReads({ within: "session" }), async () => "reject_once"],
  });
}
// #endregion permissions

// #region login
/** Logs in with the first method that needs no terminal. The client then repeats the call that needed the login. */
export function connectWithLogin(transport: Transport): Promise<AgentConnection> {
  return connectAgent(transport, {
    login: { choose: async (methods) => methods.find(({ kind }) => kind === "agent") },
  });
}
// #endregion login

// #region continue
/** Continues the saved session if the agent still has it, otherwise opens a new session. */
export async function continueSession(agent: AgentConnection, cwd: string, sessionId?: string): Promise<Session> {
  const session = await agent.openSession({ cwd, ...(sessionId !== undefined && { sessionId }) });
  if (sessionId !== undefined && session.sessionId !== sessionId)
    console.error("The conversation is gone: this is a new one.");
  return session;
}
// #endregion continue

// #region mcp
export function sessionWithTools(agent: AgentConnection, cwd: string): Promise<Session> {
  const server = { name: "files", command: "/usr/local/bin/mcp-files", args: ["--read-only"], env: [] };
  return agent.newSession({ cwd, mcpServers: [server] });
}
// #endregion mcp

// #region image
export async function describe(agent: AgentConnection, session: Session, png: Uint8Array): Promise<string> {
  if (!agent.offers("agentCapabilities.promptCapabilities.image")) return "This agent takes no images.";
  const image = { type: "image", mimeType: "image/png", data: Buffer.from(png).toString("base64") } as const;
  return (await session.prompt([{ type: "text", text: "What is this?" }, image]).result).stopReason;
}

// #endregion image

// #region desktop
import { spawnAgent } from "@acp-kit/stdio/node";

/**
 * Starts an agent from an app that was not started in a shell. Calls `onLine` with each line that the agent prints to
 * standard error, for error reports.
 */
export function startFromDesktop(command: string, path: string, onLine: (line: string) => void): Transport {
  return spawnAgent({ command, args: ["--acp"], env: { PATH: path }, onStderr: onLine });
}
// #endregion desktop

// #region wire
/** Prints every message in both directions. Secrets are already hidden. */
export function connectAndShow(transport: Transport, print: (line: string) => void): Promise<AgentConnection> {
  return connectAgent(transport, {
    tap: ({ direction, message }) => print(`${direction === "sent" ? "→" : "←"} ${JSON.stringify(message)}`),
    onDiagnostic: ({ code, message }) => print(`! ${code}: ${message}`),
  });
}
// #endregion wire
