import { isRpcError } from "@acp-kit/protocol";
import type { IncomingSessionConfigOption, IncomingSessionUpdate, SessionModeState } from "@acp-kit/types";
import { isAuthRequired } from "../authentication/auth-required-error.js";
import { Cell } from "../cell.js";
import { modelStateOf } from "./model-state.js";
import type { OptionValues, SessionOptionList } from "./option-list.js";
import { type OptionState, type SessionOption, sessionOptions } from "./session-option.js";
import type { Attachable, SessionState } from "./state.js";

/** The modes and config options in the response to `session/new`, `session/load` and `session/resume`. */
export interface OpeningOptions {
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly IncomingSessionConfigOption[] | null;
}

const noOptions: readonly SessionOption[] = [];
const noValues: OptionValues = {};
const noState: OptionState = {};

/** The implementation of {@link SessionOptionList}. */
export class LiveOptions implements SessionOptionList {
  readonly #session: SessionState;
  readonly #owner: Attachable;
  readonly #options: Cell<readonly SessionOption[]> = new Cell(noOptions);
  /** The ids of the options that this client has set, in the order in which it set them. */
  #chosen: Set<string> | undefined;
  /** The values that the options in `#chosen` had before the session was opened again. */
  #before: OptionValues = noValues;
  /** Whether the response that opened the session contained no options, so that their values are unknown. */
  #isUnknown = false;
  #state: OptionState = noState;

  constructor(session: SessionState, owner: Attachable) {
    this.#session = session;
    this.#owner = owner;
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
    await this.#session.client.login.run(async () => {
      const attaching = this.#owner.attach();
      if (attaching !== undefined) await attaching;
      await this.#send(option, value);
    });
    this.#choose(option);
  }

  #setState(state: OptionState): void {
    this.#state = { ...this.#state, ...state };
    this.#options.set(sessionOptions(this.#state));
  }

  /** Applies an update that changes the mode or the config options. */
  applyUpdate(update: IncomingSessionUpdate): void {
    const { modes } = this.#state;
    if (update.sessionUpdate === "config_option_update") this.#setState({ configOptions: update.configOptions });
    else if (update.sessionUpdate === "current_mode_update" && modes !== undefined)
      this.#setState({ modes: { ...modes, currentModeId: update.currentModeId } });
  }

  /** Applies the response that opened the session. Parts that the response doesn't contain are kept. */
  onOpened(response: OpeningOptions): void {
    this.#before = this.chosen;
    const models = modelStateOf(response);
    const { modes, configOptions } = response;
    this.#isUnknown = !modes && !configOptions && !models;
    if (this.#isUnknown) return;
    this.#setState({ ...(modes && { modes }), ...(configOptions && { configOptions }), ...(models && { models }) });
  }

  /**
   * Sets the options that this client had set before the session was opened again, if their values are different now.
   */
  reapply(): Promise<void> {
    return this.apply(this.#before, { anyway: this.#isUnknown });
  }

  /**
   * Sets several options, one after the other because they can depend on each other. Reports and skips options that
   * can't be set. An option that already has the value is set again only with `anyway`.
   */
  async apply(values: OptionValues, { anyway = false }: { readonly anyway?: boolean } = {}): Promise<void> {
    for (const [id, value] of Object.entries(values)) {
      try {
        const option = this.#settable(id, value);
        if (anyway || option.value !== value) await this.#send(option, value);
        this.#choose(option);
      } catch (cause) {
        if (isAuthRequired(cause) || !(isRpcError(cause) || cause instanceof TypeError)) throw cause;
        const { sessionId, peer } = this.#session;
        const message = `Session ${sessionId}: the option "${id}" could not be set to ${JSON.stringify(value)}`;
        peer.report({ code: "option_not_applied", message, cause, data: { id, value } });
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
    const { sessionId, peer } = this.#session;
    const { id, source } = option;
    if (source === "config") {
      await this.#setConfigOption(id, value);
    } else if (source === "modes") {
      await this.#setMode(String(value));
    } else {
      // The protocol no longer defines this method, but agents that send `models` support it.
      const onResult = (): void => {
        const { models } = this.#state;
        if (models !== undefined) this.#setState({ models: { ...models, currentModelId: String(value) } });
      };
      await peer.connection.request(
        "session/set_model",
        { sessionId, modelId: value },
        { timeoutMs: setModelTimeoutMs, decode: onResult },
      );
    }
  }

  // The state changes when the response arrives: a later update of the agent must replace this change, not the reverse.

  async #setMode(modeId: string): Promise<void> {
    const { sessionId, peer } = this.#session;
    await peer.request(
      "session/set_mode",
      { sessionId, modeId },
      { onResult: () => this.#onSet({ sessionUpdate: "current_mode_update", currentModeId: modeId }) },
    );
  }

  async #setConfigOption(configId: string, value: string | boolean): Promise<void> {
    const { sessionId, peer } = this.#session;
    const params =
      typeof value === "boolean"
        ? { sessionId, configId, type: "boolean" as const, value }
        : { sessionId, configId, value };
    await peer.request("session/set_config_option", params, {
      onResult: (response: OpeningOptions) => {
        // The rule `option-response` accepts a response without the list: then only this option has changed.
        const configOptions = [...(response.configOptions ?? withValue(this.#state.configOptions, configId, value))];
        this.#onSet({ sessionUpdate: "config_option_update", configOptions });
      },
    });
  }

  #onSet(update: IncomingSessionUpdate): void {
    this.applyUpdate(update);
    this.#session.transcript.update(update);
  }
}

/** The deadline of `session/set_model` in milliseconds, equal to the default of `limits.requestTimeoutMs`. */
const setModelTimeoutMs = 120_000;

function withValue(
  options: readonly IncomingSessionConfigOption[] = [],
  configId: string,
  value: string | boolean,
): readonly IncomingSessionConfigOption[] {
  return options.map((option) =>
    option.id === configId ? ({ ...option, currentValue: value } as IncomingSessionConfigOption) : option,
  );
}
