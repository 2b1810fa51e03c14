import type { OwnTerminal, ToolCallHandle } from "@acp-kit/agent";
import type { OwnTerminalInit, VersionedUpdate } from "@acp-kit/agent/internal";
import { base64Of } from "../session/base64.js";

/** A terminal of the agent, as version 2 shows it: with updates of its own. */
export class V2OwnTerminal implements OwnTerminal {
  readonly terminalId: string;
  readonly #send: (update: VersionedUpdate) => Promise<void> | undefined;
  #hasExited = false;

  /** @param terminalId an id that the session has not used before. */
  constructor(
    call: ToolCallHandle,
    { command, cwd, size }: OwnTerminalInit,
    terminalId: string,
    send: (update: VersionedUpdate) => Promise<void> | undefined,
  ) {
    this.terminalId = terminalId;
    this.#send = send;
    void send({
      sessionUpdate: "terminal_update",
      terminalId,
      ...(command !== undefined && { command }),
      ...(cwd !== undefined && { cwd }),
      ...(size !== undefined && { size: { ...size } }),
    });
    void call.add({ type: "terminal", terminalId });
  }

  write(output: string | Uint8Array): Promise<void> | undefined {
    if (this.#hasExited || output.length === 0) return undefined;
    const { terminalId } = this;
    return this.#send({ sessionUpdate: "terminal_output_chunk", terminalId, data: base64Of(output) });
  }

  exit({
    exitCode,
    signal,
  }: {
    readonly exitCode?: number | null;
    readonly signal?: string | null;
  } = {}): Promise<void> | undefined {
    if (this.#hasExited) return undefined;
    this.#hasExited = true;
    const exitStatus = { ...(exitCode != null && { exitCode }), ...(signal != null && { signal }) };
    return this.#send({ sessionUpdate: "terminal_update", terminalId: this.terminalId, exitStatus });
  }
}
