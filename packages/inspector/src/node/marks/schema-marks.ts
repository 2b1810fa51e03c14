import {
  agentValidators as unstableAgentValidators,
  clientValidators as unstableClientValidators,
} from "@acp-kit/schema/unstable/validate";
import {
  agentValidators,
  clientValidators,
  formatIssue,
  type Issue,
  type ValidatorTable,
} from "@acp-kit/schema/validate";
import type { RecordingEntry, Side } from "@acp-kit/testing/recording";
import type { Mark } from "./mark.js";

const stable: Readonly<Record<Side, ValidatorTable>> = { agent: agentValidators, client: clientValidators };
const unstable: Readonly<Record<Side, ValidatorTable>> = {
  agent: unstableAgentValidators,
  client: unstableClientValidators,
};

/** The number of issues that are named of one message. */
const MAX_ISSUES = 5;
/** The number of requests whose method is remembered until the response. */
const MAX_OPEN = 10_000;

/** Checks messages against the schema of version 1 as they arrive. A message that only the unstable schema allows is fine. */
export class SchemaMarks {
  readonly #open: Readonly<Record<Side, Map<string, string>>> = { client: new Map(), agent: new Map() };

  /** The marks of the next entry. */
  add(entry: RecordingEntry, index: number): readonly Mark[] {
    if (entry.kind === "noise") {
      if (entry.text.trim() === "") return [];
      return [{ entry: index, kind: "schema", id: "json", message: "This line is not a JSON-RPC message." }];
    }
    if (entry.kind !== "message" || entry.leftOut) return [];
    return this.#issues(entry.from, entry.message).map(({ id, message }) => ({
      entry: index,
      kind: "schema",
      id,
      message,
    }));
  }

  /** What is wrong with a message that is about to be sent. */
  check(from: Side, message: unknown): readonly string[] {
    return this.#issues(from, message, true).map((issue) => issue.message);
  }

  #issues(from: Side, value: unknown, isDraft = false): readonly { id: string; message: string }[] {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return [{ id: "envelope", message: "A message must be a JSON object." }];
    }
    const { jsonrpc, id, method, params, result, error } = value as Readonly<Record<string, unknown>>;
    const issues: { id: string; message: string }[] = [];
    if (jsonrpc !== "2.0") issues.push({ id: "jsonrpc", message: '"jsonrpc" must be "2.0".' });
    if (typeof method === "string") {
      const key = id === undefined ? undefined : JSON.stringify(id);
      if (key !== undefined && !isDraft && this.#open[from].size < MAX_OPEN) this.#open[from].set(key, method);
      return [...issues, ...paramsIssues(from, method, params)];
    }
    const asker: Side = from === "client" ? "agent" : "client";
    const key = JSON.stringify(id);
    const asked = this.#open[asker].get(key);
    if (!isDraft) this.#open[asker].delete(key);
    if (result === undefined && error === undefined) {
      issues.push({ id: "envelope", message: 'A message needs "method", "result" or "error".' });
    } else if (asked === undefined) {
      issues.push({ id: "id", message: `No open request has the id ${key}.` });
    } else if (result !== undefined) issues.push(...resultIssues(from, asked, result));
    return issues;
  }
}

function paramsIssues(from: Side, method: string, params: unknown): readonly { id: string; message: string }[] {
  if (method.startsWith("_")) return []; // an extension
  const validators = [stable, unstable].flatMap((tables) => own(tables[from].params, method) ?? []);
  if (validators.length === 0) return [{ id: "method", message: `The ${from} has no method ${method} to call.` }];
  return issuesOf(validators, params ?? {}, "params");
}

function resultIssues(from: Side, method: string, result: unknown): readonly { id: string; message: string }[] {
  if (method.startsWith("_")) return [];
  const validators = [stable, unstable].flatMap((tables) => own(tables[from].results, method) ?? []);
  return validators.length === 0 ? [] : issuesOf(validators, result, "result");
}

type Validate = (value: unknown) => readonly Issue[];

/** The issues of the first validator, unless another one has none. */
function issuesOf(
  validators: readonly Validate[],
  value: unknown,
  place: string,
): readonly { id: string; message: string }[] {
  const [first, ...others] = validators;
  const issues = first?.(value) ?? [];
  if (issues.length === 0 || others.some((validate) => validate(value).length === 0)) return [];
  return issues.slice(0, MAX_ISSUES).map((issue) => ({ id: place, message: `${place}: ${formatIssue(issue)}` }));
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
