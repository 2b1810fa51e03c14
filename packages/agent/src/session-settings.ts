import { invalidParams, shorten } from "@acp-kit/protocol";
import type {
  IncomingSetSessionConfigOptionRequest,
  SessionConfigOption,
  SessionConfigSelectOption,
  SessionModeState,
  SessionUpdate,
} from "@acp-kit/types";

const none: readonly never[] = [];

/**
 * The mode and the config options of one session, as the agent last sent them to the client in a response or an update.
 * If the session has modes or config options, the client may choose only the values that they list.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-config-options
 */
export class SessionSettings {
  #modes: SessionModeState | undefined;
  #configOptions: readonly SessionConfigOption[] = none;

  /** The available modes and the current mode, or `undefined` if the session has no modes. */
  get modes(): SessionModeState | undefined {
    return this.#modes;
  }

  /** All config options with their values, including boolean options. */
  get configOptions(): readonly SessionConfigOption[] {
    return this.#configOptions;
  }

  /** Stores the modes and config options of a response, such as the response to `session/new`. Settings that are absent in it are kept. */
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
  applyUpdate(update: SessionUpdate): void {
    if (update.sessionUpdate === "current_mode_update") this.setMode(update.currentModeId);
    else if (update.sessionUpdate === "config_option_update") this.#configOptions = update.configOptions;
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
   * Returns the config options with the value that a client requests.
   *
   * @throws {RpcError} `-32602` when the session has config options, but not this one, or when the option does not have
   * this value.
   */
  withValue({ configId, value }: IncomingSetSessionConfigOptionRequest): SessionConfigOption[] {
    if (this.#configOptions.length === 0) return [];
    const option = this.#configOptions.find(({ id }) => id === configId);
    const available = this.#configOptions.map(({ id }) => id as string);
    if (option === undefined) {
      const id = shorten(configId);
      throw invalidParams(`Invalid params: configId: this session has no option "${id}"`, {
        configId: id,
        available,
      });
    }
    const changed = withValue(option, value);
    return this.#configOptions.map((other) => (other === option ? changed : other));
  }
}

function withValue(option: SessionConfigOption, value: unknown): SessionConfigOption {
  if (option.type === "boolean") {
    if (typeof value === "boolean") return { ...option, currentValue: value };
    throw invalidParams(`Invalid params: value: option "${option.id}" must be true or false`, { configId: option.id });
  }
  const available = valuesOf(option.options);
  if (typeof value === "string" && available.includes(value)) return { ...option, currentValue: value };
  throw invalidParams(`Invalid params: value: not a value of option "${option.id}"`, {
    configId: option.id,
    value: typeof value === "string" ? shorten(value) : value,
    available,
  });
}

function valuesOf(options: Extract<SessionConfigOption, { type: "select" }>["options"]): string[] {
  const values: readonly SessionConfigSelectOption[] = options.flatMap((entry) =>
    "options" in entry ? entry.options : [entry],
  );
  return values.map(({ value }) => value);
}
