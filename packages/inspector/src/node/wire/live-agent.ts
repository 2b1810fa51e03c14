import { type Message, RpcError, type Transport } from "@acp-kit/jsonrpc";
import type { Recorder } from "@acp-kit/testing/recording";
import type { LocalAccess } from "./local-access.js";

/** Starts or reaches the agent. `onStderr` receives the lines of its standard error. */
export type OpenAgent = (io: { readonly onStderr: (line: string) => void }) => Transport | PromiseLike<Transport>;

/** Options of a {@link LiveAgent}. */
export interface LiveAgentOptions {
  readonly open: OpenAgent;
  readonly recorder: Recorder;
  readonly access: LocalAccess;
  /** The command, to show it. */
  readonly command?: readonly string[];
  readonly onChange: () => void;
}

/** A request to send to the agent. */
export interface AgentRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** The states of the agent: `starting`, `running`, or `ended`, with the reason. */
export type AgentStatus = { readonly is: "starting" | "running" } | { readonly is: "ended"; readonly reason: string };

/**
 * The connection to an inspected agent: it records every message, sends those of the page, and answers requests for files and terminals.
 * It checks nothing that it sends, because an inspector also shows what an agent does with mistakes.
 */
export class LiveAgent {
  readonly #options: LiveAgentOptions;
  #transport: Transport | undefined;
  #status: AgentStatus = { is: "starting" };
  #generation = 0;
  #lastId = 0;

  constructor(options: LiveAgentOptions) {
    this.#options = options;
  }

  get status(): AgentStatus {
    return this.#status;
  }

  /** Starts the agent; one that runs is ended first. Never rejects: the status has the reason. */
  async start(): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    const { open, recorder, command } = this.#options;
    await this.#endTransport();
    if (generation !== this.#generation) return;
    this.#set({ is: "starting" });
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
        message: (value, size) => this.#received(value, size),
        malformed: ({ excerpt, size }) => recorder.noise("agent", excerpt, size),
        ended: () => {
          if (generation !== this.#generation) return;
          recorder.process({ event: "output_ended" });
          void this.#ended(transport, "The agent ended its output.");
        },
        failed: (error) => {
          if (generation === this.#generation) void this.#ended(transport, textOf(error));
        },
      });
    } catch (error) {
      recorder.process({ event: "failed", reason: textOf(error) });
      this.#set({ is: "ended", reason: textOf(error) });
    }
  }

  /** Sends a request with the next free id. */
  request({ method, params }: AgentRequest): void {
    this.#lastId += 1;
    this.send({ jsonrpc: "2.0", id: this.#lastId, method, ...(params !== undefined && { params }) });
  }

  /** Sends any JSON value. Without an agent it does nothing. */
  send(message: unknown): void {
    const transport = this.#transport;
    if (transport === undefined) return;
    const { id } = Object(message) as { readonly id?: unknown };
    if (typeof id === "number" && Number.isSafeInteger(id)) this.#lastId = Math.max(this.#lastId, id);
    this.#options.access.sent(message);
    const bytes = transport.send(message as Message);
    this.#options.recorder.message("client", message, { bytes });
  }

  /** Ends the agent. Never rejects. */
  async close(): Promise<void> {
    this.#generation += 1;
    await this.#endTransport();
    await this.#options.access.close();
    this.#set({ is: "ended", reason: "It was stopped." });
  }

  async #endTransport(): Promise<void> {
    const transport = this.#transport;
    if (transport === undefined) return;
    this.#transport = undefined;
    await this.#ending(transport);
  }

  async #ended(transport: Transport, reason: string): Promise<void> {
    if (this.#transport === transport) this.#transport = undefined;
    this.#set({ is: "ended", reason });
    await this.#ending(transport);
  }

  async #ending(transport: Transport): Promise<void> {
    await transport.close();
    const { exited } = transport as { readonly exited?: Promise<{ exitCode: number | null; signal: string | null }> };
    const exit = await exited;
    if (exit === undefined) return;
    this.#options.recorder.process({ event: "exited", exitCode: exit.exitCode, signal: exit.signal });
  }

  #received(value: unknown, size: number): void {
    this.#options.recorder.message("agent", value, { bytes: size });
    this.#options.access.observe(value);
    const { id, method, params } = Object(value) as { id?: unknown; method?: unknown; params?: unknown };
    if (id === undefined || typeof method !== "string") return;
    const answer = this.#options.access.answer(method, params);
    if (answer === undefined) return; // the page answers it
    answer.then(
      (result) => this.send({ jsonrpc: "2.0", id, result: result ?? {} }),
      (error: unknown) => {
        const { code, message, data } =
          error instanceof RpcError ? error : { code: -32_603, message: textOf(error), data: undefined };
        this.send({ jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } });
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
