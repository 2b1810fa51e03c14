import { type AgentConnection, type AgentSource, connectAgent, type Session } from "@acp-kit/client";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { spawnAgent } from "@acp-kit/stdio/node";

/** Where an agent runs: a command of this machine, or a URL. */
export type Runner =
  | { readonly command: string; readonly args?: readonly string[] }
  | { readonly url: string; readonly token: string };

/** A permission request for the user interface. */
export interface Question {
  readonly title: string;
  decide(allowed: boolean): void;
}

/** The callbacks through which the rest of the system follows a job. */
export interface JobEvents {
  readonly onLog: (line: string) => void;
  readonly onQuestion: (question: Question) => void;
}

/** One piece of work for one agent. Nothing runs before `start`. */
export class Job {
  /** The id of the job in this system. The agent's session has another id. */
  readonly id: string = crypto.randomUUID();
  readonly #runner: Runner;
  readonly #cwd: string;
  readonly #events: JobEvents;
  #agent: AgentConnection | undefined;
  #session: Session | undefined;

  constructor(runner: Runner, cwd: string, events: JobEvents) {
    this.#runner = runner;
    this.#cwd = cwd;
    this.#events = events;
  }

  get sessionId(): string | undefined {
    return this.#session?.sessionId;
  }

  /** Starts or reaches the agent. Opens a new session, or the previous session with the given id. */
  async start(earlier?: string): Promise<void> {
    const { onLog, onQuestion } = this.#events;
    this.#agent = await connectAgent(sourceOf(this.#runner, this.#cwd), {
      permissions: ({ toolCall }) =>
        new Promise((resolve) => {
          const decide = (allowed: boolean): void => resolve(allowed ? "allow_once" : "reject_once");
          onQuestion({ title: toolCall.title ?? "", decide });
        }),
    });
    const setup = { cwd: this.#cwd };
    this.#session = earlier
      ? await this.#agent.loadSession({ ...setup, sessionId: earlier })
      : await this.#agent.newSession(setup);
    this.#session.onUpdate((update) => {
      if (update.sessionUpdate === "tool_call") onLog(`tool: ${update.title}`);
      if (update.sessionUpdate === "plan") onLog(`plan: ${update.entries.length} entries`);
    });
  }

  /** Sends a prompt with links to files. Resolves with the agent's text and the stop reason. */
  async prompt(text: string, files: readonly string[] = []): Promise<{ text: string; stopReason: string }> {
    if (this.#session === undefined) throw new Error("The job is not started");
    const links = files.map((path) => ({ type: "resource_link" as const, name: path, uri: `file://${path}` }));
    const turn = this.#session.prompt([{ type: "text", text }, ...links]);
    const answer = await turn.text();
    return { text: answer, stopReason: (await turn.result).stopReason };
  }

  /** Cancels the running turn. */
  stopTurn(): void {
    void this.#session?.cancel();
  }

  /** Ends the connection, and the agent if it is a process of this machine. */
  async stop(): Promise<void> {
    await this.#agent?.close();
  }
}

/** Returns how to connect to the agent. Only this function depends on where the agent runs. */
function sourceOf(runner: Runner, cwd: string): AgentSource | ReturnType<typeof spawnAgent> {
  if ("command" in runner) return spawnAgent({ ...runner, cwd });
  const { url, token } = runner;
  return url.startsWith("ws") ? webSocketAgent(url, { token }) : httpAgent(url, { token });
}
