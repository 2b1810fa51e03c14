import { invalidParams } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";
import type {
  IncomingSetSessionConfigOptionRequest,
  SessionConfigOption,
  SessionConfigSelectOption,
  SessionModeState,
} from "@acp-kit/types";
import type { SystemPrompt } from "./unstable/system-prompt.js";
import type { VersionedUpdate } from "./versioned-update.js";

const none: readonly never[] = [];

/**
 * The mode and the config options of one session, as the agent last sent them to the client in a response or an update.
 * If the session has modes or config options, the client may choose only the values that they list.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-config-options
 */
export class SessionSettings {
  /** The instructions of the client, if the agent takes them. */
  systemPrompt: SystemPrompt | undefined;
  #modes: SessionModeState | undefined;
  #configOptions: readonly SessionConfigOption[] = none;
  #modeUpdates = 0;

  /** The available modes and the current mode, or `undefined` if the session has no modes. */
  get modes(): SessionModeState | undefined {
    return this.#modes;
  }

  /** The number of updates so far with which the agent itself has changed the mode. */
  get modeUpdates(): number {
    return this.#modeUpdates;
  }

  /** All config options with their values, including boolean options. */
  get configOptions(): readonly SessionConfigOption[] {
    return this.#configOptions;
  }

  /**
   * Stores the modes and config options of a response, such as the response to `session/new`. Settings that are absent
   * in it are kept.
   */
  applyResponse({
    modes,
    configOptions,
  }: {
    readonly modes?: SessionModeState | null;
    readonly configOptions?: readonly SessionConfigOption[] | null;
  }): void {
    if (modes != null) this.#modes = modes;
    if (configOptions != null) this.#configOptions = configOptions;
  }

  /** Applies an update that changes the mode or the config options. */
  applyUpdate(update: VersionedUpdate): void {
    if (update.sessionUpdate === "current_mode_update") {
      this.#modeUpdates += 1;
      this.setMode(update.currentModeId);
    } else if (update.sessionUpdate === "config_option_update") this.#configOptions = update.configOptions;
  }

  /** Sets the current mode. */
  setMode(currentModeId: string): void {
    if (this.#modes !== undefined) this.#modes = { ...this.#modes, currentModeId };
  }

  /**
   * Checks the mode that a client requests.
   *
   * @throws {RpcError} `-32602` when the session has modes, but not this one.
   */
  assertMode(modeId: string): void {
    const available = this.#modes?.availableModes.map(({ id }) => id as string);
    if (available !== undefined && !available.includes(modeId)) {
      const id = shorten(modeId);
      throw invalidParams(`Invalid params: modeId: this session has no mode "${id}"`, { modeId: id, available });
    }
  }

  /**
   * Checks the value that a client requests for a config option.
   *
   * @throws {RpcError} `-32602` when the session has config options, but not this one, or when the option does not have
   * this value.
   */
  assertValue({ configId, value }: IncomingSetSessionConfigOptionRequest): void {
    if (this.#configOptions.length === 0) return;
    const option = this.#configOptions.find(({ id }) => id === configId);
    const available = this.#configOptions.map(({ id }) => id as string);
    if (option === undefined) {
      const id = shorten(configId);
      throw invalidParams(`Invalid params: configId: this session has no option "${id}"`, {
        configId: id,
        available,
      });
    }
    if (withValue(option, value) !== undefined) return;
    if (option.type === "boolean") {
      throw invalidParams(`Invalid params: value: option "${configId}" must be true or false`, { configId });
    }
    throw invalidParams(`Invalid params: value: not a value of option "${configId}"`, {
      configId,
      ...(typeof value !== "object" && { value: typeof value === "string" ? shorten(value) : value }),
      available: valuesOf(option.options),
    });
  }

  /**
   * Returns the current config options with the value that a client has set. Returns them unchanged if the agent has
   * removed the option or the value since the request arrived.
   */
  withValue({ configId, value }: IncomingSetSessionConfigOptionRequest): SessionConfigOption[] {
    return this.#configOptions.map((option) =>
      option.id === configId ? (withValue(option, value) ?? option) : option,
    );
  }
}

/** Returns the option with another value, or `undefined` if the option can't have this value. */
function withValue(option: SessionConfigOption, value: unknown): SessionConfigOption | undefined {
  if (option.type === "boolean") return typeof value === "boolean" ? { ...option, currentValue: value } : undefined;
  const isValue = typeof value === "string" && valuesOf(option.options).includes(value);
  return isValue ? { ...option, currentValue: value } : undefined;
}

function valuesOf(options: Extract<SessionConfigOption, { type: "select" }>["options"]): string[] {
  const values: readonly SessionConfigSelectOption[] = options.flatMap((entry) =>
    "options" in entry ? entry.options : [entry],
  );
  return values.map(({ value }) => value);
}
