import type { SettingUpdate } from "../journal/journal-entry.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import type { ProtocolVersion } from "../version.js";

/** The kind of a setting of a session: that of the updates with which clients receive it. */
export type SettingKind = SettingUpdate["sessionUpdate"];

/** A setting in an entry that was delivered. */
interface DeliveredSetting {
  readonly seq: number;
  readonly version: ProtocolVersion;
  readonly update: object;
}

/**
 * The calls of one client that change a setting. Clients show the value that they have set when they get the response,
 * so a later value that they have received before the response must be sent again.
 */
export class SettingCalls {
  /** The calls without a response that change a setting. */
  readonly #calls: { readonly kind: SettingKind; readonly isKnown: boolean }[] = [];
  /** While such calls run: by its kind, the last setting in the entries that were delivered. */
  readonly #last = new Map<SettingKind, DeliveredSetting>();

  /** Whether the client will know this kind of setting from the response to such a call. */
  has(kind: SettingKind): boolean {
    return this.#calls.some((call) => call.kind === kind && call.isKnown);
  }

  /**
   * Reports that a call begins. Call the returned function after the response, with the number of the entry that
   * contains the change. It returns the update that must be sent again, if there is one.
   *
   * @param isKnown whether the client knows the whole change from the response.
   */
  begin(kind: SettingKind, isKnown: boolean): (at: number) => DeliveredSetting | undefined {
    const call = { kind, isKnown };
    this.#calls.push(call);
    return (at) => {
      this.#calls.splice(this.#calls.indexOf(call), 1);
      const last = this.#last.get(kind);
      if (this.#calls.length === 0) this.#last.clear();
      return last !== undefined && last.seq > at ? last : undefined;
    };
  }

  /** Reports that an entry is delivered. */
  delivered(recorded: RecordedEntry): void {
    if (this.#calls.length === 0) return; // so that the entry is not parsed
    const { entry, seq } = recorded;
    const update =
      entry.type === "setting_changed" ? entry.update : entry.type === "update" ? entry.params.update : undefined;
    const { sessionUpdate } = (update ?? {}) as { readonly sessionUpdate?: unknown };
    const { version = 1 } = entry as { readonly version?: 2 };
    if (sessionUpdate === "current_mode_update" || sessionUpdate === "config_option_update")
      this.#last.set(sessionUpdate, { seq, version, update: structuredClone(update as object) });
  }
}
