import type { Diagnostic } from "@acp-kit/protocol";
import type { DialectName, DialectSetting } from "./dialect-rules.js";

/**
 * The compatibility rules of one connection, and those that its agent has needed.
 *
 * It has only their names, not the texts of `dialectRules`, so that a bundler can leave those out.
 */
export class Dialects {
  readonly #setting: DialectSetting;
  readonly #reported = new Set<DialectName>();
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(setting: DialectSetting, report: (diagnostic: Diagnostic) => void) {
    this.#setting = setting;
    this.#report = report;
  }

  /** Whether no rule applies: then messages need no check. */
  get isOff(): boolean {
    return this.#setting === false || (this.#setting !== true && this.#setting.length === 0);
  }

  allows(rule: DialectName): boolean {
    return typeof this.#setting === "boolean" ? this.#setting : this.#setting.includes(rule);
  }

  /** Reports that a rule was needed, once per rule. */
  markNeeded(rule: DialectName, method: string): void {
    if (this.#reported.has(rule)) return;
    this.#reported.add(rule);
    const message = `The agent deviates from the specification: the compatibility rule "${rule}" was applied (see dialectRules)`;
    this.#report({ code: "dialect", message, method, data: { rule } });
  }
}
