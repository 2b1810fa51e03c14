import type { Diagnostic } from "@acp-kit/protocol";
import type { DialectName, DialectSetting } from "./dialect-rules.js";

/**
 * The compatibility rules of one connection. Reports each rule when a message of the agent needs the rule for the first
 * time.
 *
 * The class uses only the names of the rules, so that a bundler can leave out the texts of `dialectRules`.
 */
export class Dialects {
  readonly #setting: DialectSetting;
  readonly #reported = new Set<DialectName>();
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(setting: DialectSetting, report: (diagnostic: Diagnostic) => void) {
    this.#setting = setting;
    this.#report = report;
  }

  /** Whether the application turned all rules off, so that messages need no check. */
  get isOff(): boolean {
    return this.#setting === false || (this.#setting !== true && this.#setting.length === 0);
  }

  allows(rule: DialectName): boolean {
    return typeof this.#setting === "boolean" ? this.#setting : this.#setting.includes(rule);
  }

  /** Reports that a message needed a rule, once per rule. */
  markNeeded(rule: DialectName, method: string): void {
    if (this.#reported.has(rule)) return;
    this.#reported.add(rule);
    const message = `The agent deviates from the specification: the compatibility rule "${rule}" was applied (see dialectRules)`;
    this.#report({ code: "dialect", message, method, data: { rule } });
  }
}
