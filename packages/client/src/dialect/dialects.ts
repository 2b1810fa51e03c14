import type { Diagnostic } from "@acp-kit/protocol";
import type { DialectName, DialectSetting } from "./dialect-rules.js";

/**
 * The rules of one connection, and which of them its agent has needed.
 *
 * It names them and leaves the words to `dialectRules`: who doesn't show those need not ship them.
 */
export class Dialects {
  readonly #setting: DialectSetting;
  readonly #heard = new Set<DialectName>();
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(setting: DialectSetting, report: (diagnostic: Diagnostic) => void) {
    this.#setting = setting;
    this.#report = report;
  }

  /** Whether no rule applies: then nothing has to be looked at. */
  get isOff(): boolean {
    return this.#setting === false || (this.#setting !== true && this.#setting.length === 0);
  }

  allows(rule: DialectName): boolean {
    return typeof this.#setting === "boolean" ? this.#setting : this.#setting.includes(rule);
  }

  /** A rule has been needed. It is reported once. */
  heard(rule: DialectName, method: string): void {
    if (this.#heard.has(rule)) return;
    this.#heard.add(rule);
    const message = `The agent has a dialect of its own: "${rule}", see dialectRules`;
    this.#report({ code: "dialect", message, method, data: { rule } });
  }
}
