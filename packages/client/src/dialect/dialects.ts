import type { Diagnostic } from "@acp-kit/protocol";
import { type DialectName, type DialectSetting, dialectRules } from "./dialect-rules.js";

/** The rules of one connection, and which of them its agent has needed. */
export class Dialects {
  readonly #enabled: ReadonlySet<DialectName>;
  readonly #heard = new Set<DialectName>();
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(setting: DialectSetting, report: (diagnostic: Diagnostic) => void) {
    const names = Object.keys(dialectRules) as DialectName[];
    this.#enabled = new Set(typeof setting === "boolean" ? (setting ? names : []) : setting);
    this.#report = report;
  }

  /** Whether no rule applies: then nothing has to be looked at. */
  get isOff(): boolean {
    return this.#enabled.size === 0;
  }

  allows(rule: DialectName): boolean {
    return this.#enabled.has(rule);
  }

  /** A rule has been needed. It is reported once. */
  heard(rule: DialectName, method: string): void {
    if (this.#heard.has(rule)) return;
    this.#heard.add(rule);
    const { says } = dialectRules[rule];
    this.#report({ code: "dialect", message: `The agent has a dialect of its own: ${says}`, method, data: { rule } });
  }
}
