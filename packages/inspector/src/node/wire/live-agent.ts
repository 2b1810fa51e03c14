import { type Message, RpcError, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import type { Recorder } from "@acp-kit/testing/recording";
import type { AgentStatus } from "../page/protocol.js";
import type { LocalAccess } from "./local-access.js";

/** A function that starts the agent or connects to it. `onStderr` receives the lines of the agent's standard error. */
export type OpenAgent = (io: { readonly onStderr: (line: string) => void }) => Transport | PromiseLike<Transport>;

/** Options of a {@link LiveAgent}. */
export interface LiveAgentOptions {
  readonly open: OpenAgent;
  readonly recorder: Recorder;
  readonly access: LocalAccess;
  /** The command that starts the agent, for display. */
  readonly command?: readonly string[];
  readonly onChange: () => void;
  /** The time in milliseconds that `close()` waits for a call of `open` that has not settled. Default: 5,000. */
  readonly openGraceMs?: number;
}

/** A request to send to the agent. */
export interface AgentRequest {
  readonly method: string;
  readonly params?: unknown;
}

/**
 * The connection to an inspected agent. It records every message, sends the messages of the page, and responds to
 * requests for files and terminals. It also sends invalid messages of the page, so that the user can see how the agent
 * handles them.
 */
export class LiveAgent {
  readonly #options: LiveAgentOptions;
  #transport: Transport | undefined;
  #status: AgentStatus = { is: "starting" };
  #generation = 0;
  #lastId = 0;
  /** The pending calls of `open`. There may be several: a restart does not wait for an earlier start. */
  readonly #openings = new Set<Promise<void>>();
  /** Resolves when the last agent that ended by itself has exited, and its commands have ended. Never rejects. */
  #exiting: Promise<unknown> = Promise.resolve();

  constructor(options: LiveAgentOptions) {
    this.#options = options;
  }

  get status(): AgentStatus {
    return this.#status;
  }

  /** Ends the running agent and starts the agent again. Never rejects: the status contains the error. */
  async start(): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    await this.#endAgent();
    if (generation !== this.#generation) return;
    this.#set({ is: "starting" });
    const opening = this.#open(generation);
    this.#openings.add(opening);
    await opening;
    this.#openings.delete(opening);
  }

  async #open(generation: number): Promise<void> {
    const { open, recorder, command } = this.#options;
    try {
      const transport = await open({ onStderr: (line) => recorder.stderr(line) });
      if (generation !== this.#generation) {
        await transport.close();
        return;
      }
      this.#transport = transport;
      const { pid } = transport as { readonly pid?: number };
      recorder.process({ event: "started", ...(command && { command }), ...(pid !== undefined && { pid }) });
      this.#set({ is: "running" });
      transport.start({
        message: (value, size) => this.#received(transport, value, size),
        malformed: ({ excerpt, size }) => recorder.noise("agent", excerpt, size),
        ended: () => {
          if (generation !== this.#generation) return;
          this.#ended(transport, "The agent ended its output.");
        },
        failed: (error) => {
          if (generation === this.#generation) this.#ended(transport, textOf(error));
        },
      });
    } catch (error) {
      recorder.process({ event: "failed", reason: textOf(error) });
      if (generation === this.#generation) this.#set({ is: "ended", reason: textOf(error) });
    }
  }

  /** Sends a request with the next free id. */
  request({ method, params }: AgentRequest): void {
    this.#lastId += 1;
    this.send({ jsonrpc: "2.0", id: this.#lastId, method, ...(params !== undefined && { params }) });
  }

  /** Sends any JSON value. Does nothing while no agent runs. */
  send(message: unknown): void {
    const transport = this.#transport;
    if (transport === undefined) return;
    const { id } = Object(message) as { readonly id?: unknown };
    if (typeof id === "number" && Number.isSafeInteger(id)) this.#lastId = Math.max(this.#lastId, id);
    this.#options.access.sent(message);
    const bytes = transport.send(message as Message);
    this.#options.recorder.message("client", message, { bytes });
  }

  /**
   * Ends the agent. If it is still starting, waits for the start for up to `openGraceMs`. A transport that `open`
   * returns after that time is closed when it arrives. Never rejects.
   */
  async close(): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    await Promise.all([this.#endAgent(), this.#opened()]);
    if (generation === this.#generation) this.#set({ is: "ended", reason: "It was stopped." });
  }

  async #opened(): Promise<void> {
    const { openGraceMs = 5_000 } = this.#options;
    const expired = deferred();
    const timer = setTimeout(() => expired.resolve(), openGraceMs);
    await Promise.race([Promise.all(this.#openings), expired.promise]);
    clearTimeout(timer);
  }

  /**
   * Ends the running agent and the commands in its terminals. Also waits for an agent that is ending by itself, so that
   * its exit is recorded before the next start.
   */
  async #endAgent(): Promise<void> {
    await Promise.all([this.#exiting, this.#endTransport(), this.#options.access.close()]);
  }

  async #endTransport(): Promise<void> {
    const transport = this.#transport;
    if (transport === undefined) return;
    this.#transport = undefined;
    const hasExited = await this.#ending(transport);
    if (!hasExited) this.#options.recorder.process({ event: "output_ended" });
  }

  /** Called when the agent has ended by itself, or the connection to it is lost. */
  #ended(transport: Transport, reason: string): void {
    if (this.#transport === transport) this.#transport = undefined;
    this.#options.recorder.process({ event: "output_ended" });
    this.#set({ is: "ended", reason });
    this.#exiting = Promise.all([this.#ending(transport), this.#options.access.close()]);
  }

  /** Closes a transport, and records its process's exit; `false` if it has no process, as a URL has. */
  async #ending(transport: Transport): Promise<boolean> {
    await transport.close();
    const { exited } = transport as { readonly exited?: Promise<{ exitCode: number | null; signal: string | null }> };
    const exit = await exited;
    if (exit === undefined) return false;
    this.#options.recorder.process({ event: "exited", exitCode: exit.exitCode, signal: exit.signal });
    return true;
  }

  #received(transport: Transport, value: unknown, size: number): void {
    this.#options.recorder.message("agent", value, { bytes: size });
    this.#options.access.observe(value);
    const { id, method, params } = Object(value) as { id?: unknown; method?: unknown; params?: unknown };
    if (id === undefined || typeof method !== "string") return;
    const result = this.#options.access.answer(method, params);
    if (result === undefined) return; // the page responds
    const respond = (response: object): void => {
      // A restarted agent must not receive the response
      if (this.#transport === transport) this.send({ jsonrpc: "2.0", id, ...response });
    };
    result.then(
      (value) => respond({ result: value ?? {} }),
      (error: unknown) => {
        const { code, message, data } =
          error instanceof RpcError ? error : { code: -32_603, message: textOf(error), data: undefined };
        respond({ error: { code, message, ...(data !== undefined && { data }) } });
      },
    );
  }

  #set(status: AgentStatus): void {
    this.#status = status;
    this.#options.onChange();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
