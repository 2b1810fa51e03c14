import { isRpcError } from "@acp-kit/protocol";
import type { IncomingSessionConfigOption, IncomingSessionUpdate, SessionModeState } from "@acp-kit/types";
import { isAuthRequired } from "../authentication/auth-required-error.js";
import { Cell } from "../cell.js";
import type { ClientPeer } from "../client-peer.js";
import { modelStateOf } from "./model-state.js";
import { type OptionState, type SessionOption, sessionOptions } from "./session-option.js";
import type { OptionValues, SessionOptions } from "./session-options.js";

/** The state of a session in the response to new, load and resume. */
export interface SessionState {
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly IncomingSessionConfigOption[] | null;
}

/** What {@link SessionSettings} need from their session. */
export interface SessionSettingsHost {
  readonly sessionId: string;
  readonly peer: ClientPeer;
  /** Runs a call once the session is open over the current connection, with a login if it needs one. */
  whileAttached<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Called after an option was set here, with the update that the agent would have sent for its own change. */
  onChanged(update: IncomingSessionUpdate): void;
}

const noOptions: readonly SessionOption[] = [];
const noValues: OptionValues = {};
const noState: OptionState = {};

/** Implements the options of a session. Separate from {@link SessionOptions}, so that applications can't change the state. */
export class SessionSettings implements SessionOptions {
  readonly #host: SessionSettingsHost;
  readonly #options: Cell<readonly SessionOption[]> = new Cell(noOptions);
  /** The ids of the options that were set here, in that order. */
  #chosen: Set<string> | undefined;
  /** The values of these options before the session was opened again. */
  #before: OptionValues = noValues;
  /** Whether the response that opened the session had no options, so that their values are unknown. */
  #isUnknown = false;
  #state: OptionState = noState;

  constructor(host: SessionSettingsHost) {
    this.#host = host;
  }

  get snapshot(): readonly SessionOption[] {
    return this.#options.snapshot;
  }

  get getSnapshot(): () => readonly SessionOption[] {
    return this.#options.getSnapshot;
  }

  get subscribe(): (listener: () => void) => () => void {
    return this.#options.subscribe;
  }

  [Symbol.iterator](): Iterator<SessionOption> {
    return this.snapshot[Symbol.iterator]();
  }

  get(idOrCategory: string): SessionOption | undefined {
    const options = this.snapshot;
    return options.find(({ id }) => id === idOrCategory) ?? options.find(({ category }) => category === idOrCategory);
  }

  byCategory(category: string): readonly SessionOption[] {
    return this.snapshot.filter((option) => option.category === category);
  }

  get chosen(): OptionValues {
    if (this.#chosen === undefined) return noValues;
    const values = [...this.#chosen].map((id) => [id, this.get(id)?.value] as const);
    return Object.fromEntries(values.filter((entry): entry is [string, string | boolean] => entry[1] !== undefined));
  }

  async set(idOrCategory: string, value: string | boolean): Promise<void> {
    const option = this.#settable(idOrCategory, value);
    await this.#host.whileAttached(() => this.#send(option, value));
    this.#choose(option);
  }

  /** The options as the agent sends them. */
  get state(): OptionState {
    return this.#state;
  }

  /** Replaces parts of the state. */
  setState(state: OptionState): void {
    this.#state = { ...this.#state, ...state };
    this.#options.set(sessionOptions(this.#state));
  }

  /** Applies an update. */
  applyUpdate(update: IncomingSessionUpdate): void {
    const { modes } = this.#state;
    if (update.sessionUpdate === "config_option_update") this.setState({ configOptions: update.configOptions });
    else if (update.sessionUpdate === "current_mode_update" && modes !== undefined)
      this.setState({ modes: { ...modes, currentModeId: update.currentModeId } });
  }

  /** Applies the response that opened the session. Absent parts stay. */
  onOpened(response: SessionState): void {
    this.#before = this.chosen;
    const models = modelStateOf(response);
    const { modes, configOptions } = response;
    this.#isUnknown = !modes && !configOptions && !models;
    if (this.#isUnknown) return;
    this.setState({ ...(modes && { modes }), ...(configOptions && { configOptions }), ...(models && { models }) });
  }

  /** Sets the options again that were set before the session was opened again, if their value is different now. */
  reapply(): Promise<void> {
    return this.apply(this.#before, { anyway: this.#isUnknown });
  }

  /**
   * Sets several options, one after the other because they may depend on each other. Options that can't be set are reported and skipped.
   * `anyway`: also options that seem to have the value.
   */
  async apply(values: OptionValues, { anyway = false }: { readonly anyway?: boolean } = {}): Promise<void> {
    for (const [id, value] of Object.entries(values)) {
      try {
        const option = this.#settable(id, value);
        if (anyway || option.value !== value) await this.#send(option, value);
        this.#choose(option);
      } catch (cause) {
        if (isAuthRequired(cause) || !(isRpcError(cause) || cause instanceof TypeError)) throw cause;
        const message = `Session ${this.#host.sessionId}: ${id} could not be set to ${JSON.stringify(value)}`;
        this.#host.peer.report({ code: "option_not_applied", message, cause, data: { id, value } });
      }
    }
  }

  #choose({ id }: SessionOption): void {
    this.#chosen ??= new Set();
    this.#chosen.add(id);
  }

  #settable(idOrCategory: string, value: string | boolean): SessionOption {
    const option = this.get(idOrCategory);
    if (option === undefined) {
      const ids = this.snapshot.map(({ id }) => id).join(", ");
      throw new TypeError(`The session has no option "${idOrCategory}"; its options are ${ids || "none"}`);
    }
    if (option.type === "boolean") {
      if (typeof value !== "boolean")
        throw new TypeError(`The session option "${option.id}" must be true or false, not "${value}"`);
    } else if (!option.choices.some((choice) => choice.value === value)) {
      const values = option.choices.map((choice) => choice.value).join(", ");
      throw new TypeError(
        `The session option "${option.id}" has no value ${JSON.stringify(value)}; its values are ${values}`,
      );
    }
    return option;
  }

  async #send(option: SessionOption, value: string | boolean): Promise<void> {
    const { sessionId, peer } = this.#host;
    const { id, source } = option;
    if (source === "config") {
      await this.setConfigOption(id, value);
    } else if (source === "modes") {
      await this.setMode(String(value));
    } else {
      // No longer in the protocol; agents that send `models` have it.
      await peer.connection.request(
        "session/set_model",
        { sessionId, modelId: value },
        { timeoutMs: setModelTimeoutMs },
      );
      const { models } = this.#state;
      if (models !== undefined) this.setState({ models: { ...models, currentModelId: String(value) } });
    }
  }

  setMode(modeId: string): Promise<void> {
    const { sessionId, peer } = this.#host;
    return peer.request("session/set_mode", { sessionId, modeId }).then(() => {
      const { modes } = this.#state;
      if (modes !== undefined) this.setState({ modes: { ...modes, currentModeId: modeId } });
      this.#host.onChanged({ sessionUpdate: "current_mode_update", currentModeId: modeId });
    });
  }

  async setConfigOption(configId: string, value: string | boolean): Promise<readonly IncomingSessionConfigOption[]> {
    const { sessionId, peer } = this.#host;
    const params =
      typeof value === "boolean"
        ? { sessionId, configId, type: "boolean" as const, value }
        : { sessionId, configId, value };
    const { configOptions } = await peer.request("session/set_config_option", params);
    this.setState({ configOptions });
    this.#host.onChanged({ sessionUpdate: "config_option_update", configOptions });
    return configOptions;
  }
}

/** The same as the default of `deadlines.requestMs`. */
const setModelTimeoutMs = 120_000;
