import type { SessionOption, TranscriptUsage } from "@acp-kit/client";
import { cleanLine } from "../text/clean.js";
import { truncate } from "../text/layout.js";
import type { Paint } from "../text/paint.js";

/** The content of the status line below the input. */
export interface Status {
  readonly title: string | undefined;
  readonly options: readonly SessionOption[];
  readonly usage: TranscriptUsage;
  /** The number of tool calls and terminals that continue independently of turns. */
  readonly background: number;
}

/** Maximum length of the session's title. */
const maxTitle = 32;

/** Renders mode, model, context usage and cost, if the agent reports them. */
export function statusLine({ title, options, usage, background }: Status, paint: Paint): string {
  const shown = options.filter(({ category, id }) => ["mode", "model"].includes(category ?? id)).map(currentValue);
  const parts = [...shown, ...contextOf(usage, paint), ...costOf(usage)];
  if (background > 0) parts.push(`${background} in the background (/stop)`);
  if (title) parts.push(truncate(cleanLine(title), maxTitle));
  return parts.map((part) => (part.includes("\u001b") ? part : paint.dim(part))).join(paint.dim(" · "));
}

/** Formats the value of an option. */
export function currentValue(option: SessionOption): string {
  if (option.type === "boolean") return `${cleanLine(option.name)} ${option.value ? "on" : "off"}`;
  return cleanLine(option.choices.find(({ value }) => value === option.value)?.name ?? option.value);
}

function contextOf({ context }: TranscriptUsage, paint: Paint): string[] {
  if (context === undefined || context.size <= 0) return [];
  const share = Math.round((100 * context.used) / context.size);
  const text = `context ${share} % of ${tokens(context.size)}`;
  return [share >= 90 ? paint.red(text) : share >= 70 ? paint.yellow(text) : text];
}

function costOf({ cost }: TranscriptUsage): string[] {
  if (cost == null) return [];
  const amount = cost.amount.toFixed(cost.amount < 1 ? 3 : 2).replace(/(\.\d\d)0$/, "$1");
  return [cost.currency === "USD" ? `$${amount}` : `${amount} ${cleanLine(cost.currency)}`];
}

/** Formats a number of tokens: 950, 31k, 1.2M. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${trim(count / 1000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

function trim(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, "");
}

/** Formats a duration: 3s, 2m 05s. */
export function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
}
