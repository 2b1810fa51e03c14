import {
  agentValidators as unstableAgentValidators,
  clientValidators as unstableClientValidators,
} from "@acp-kit/schema/unstable/validate";
import {
  agentValidators as v2AgentValidators,
  clientValidators as v2ClientValidators,
} from "@acp-kit/schema/v2/unstable/validate";
import {
  agentValidators as v2StableAgentValidators,
  clientValidators as v2StableClientValidators,
} from "@acp-kit/schema/v2/validate";
import {
  agentValidators,
  clientValidators,
  formatIssue,
  type Issue,
  type ValidatorTable,
} from "@acp-kit/schema/validate";
import type { RecordingEntry, Side } from "@acp-kit/testing/recording";
import type { Mark } from "./mark.js";

/** The stable and the unstable schema of one version of the protocol. A value that conforms to either is valid. */
type Schemas = readonly Readonly<Record<Side, ValidatorTable>>[];

const version1: Schemas = [
  { agent: agentValidators, client: clientValidators },
  { agent: unstableAgentValidators, client: unstableClientValidators },
];
const version2: Schemas = [
  { agent: v2StableAgentValidators, client: v2StableClientValidators },
  { agent: v2AgentValidators, client: v2ClientValidators },
];

/** The maximum number of issues that are reported for one message. */
const MAX_ISSUES = 5;
/** The maximum number of open requests of each side whose method is remembered for the response. */
const MAX_OPEN = 10_000;

/** Checks messages, in order, against the schemas of the version that the peers have negotiated, at first version 1. */
export class SchemaMarks {
  readonly #open: Readonly<Record<Side, Map<string, string>>> = { client: new Map(), agent: new Map() };
  #schemas: Schemas = version1;

  /** Returns the marks of the next entry. */
  add(entry: RecordingEntry, index: number): readonly Mark[] {
    if (entry.kind === "process" && entry.event === "started") this.#schemas = version1;
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

  /** Returns the violations of a message that has not been sent yet. */
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
      // Its params can be meant for both versions
      const schemas = method === "initialize" ? [...version1, ...version2] : this.#schemas;
      return [...issues, ...paramsIssues(schemas, from, method, params)];
    }
    const requester: Side = from === "client" ? "agent" : "client";
    const key = JSON.stringify(id);
    const requestMethod = this.#open[requester].get(key);
    if (!isDraft) this.#open[requester].delete(key);
    if (result === undefined && error === undefined) {
      issues.push({ id: "envelope", message: 'A message needs "method", "result" or "error".' });
    } else if (requestMethod === undefined) {
      // Who can't read the id of a message responds with the id null
      if (id !== null || error === undefined) issues.push({ id: "id", message: `No open request has the id ${key}.` });
    } else if (result !== undefined) {
      const schemas = requestMethod === "initialize" ? schemasOf(result) : this.#schemas;
      if (requestMethod === "initialize" && !isDraft) this.#schemas = schemas;
      issues.push(...resultIssues(schemas, from, requestMethod, result));
    }
    return issues;
  }
}

/** Returns the schemas of the version in the result of `initialize`. */
function schemasOf(result: unknown): Schemas {
  return (Object(result) as { readonly protocolVersion?: unknown }).protocolVersion === 2 ? version2 : version1;
}

function paramsIssues(
  schemas: Schemas,
  from: Side,
  method: string,
  params: unknown,
): readonly { id: string; message: string }[] {
  if (method.startsWith("_")) return []; // the schema does not describe extension methods
  const validators = schemas.flatMap((tables) => own(tables[from].params, method) ?? []);
  if (validators.length === 0) return [{ id: "method", message: unknownMethod(schemas, from, method) }];
  return issuesOf(validators, params ?? {}, "params");
}

/** Returns a text that says why a method is not valid, and what to write instead. */
function unknownMethod(schemas: Schemas, from: Side, method: string): string {
  if (method === "") return 'The method is empty. Choose one in the list, or write its name, such as "session/prompt".';
  const other: Side = from === "client" ? "agent" : "client";
  if (schemas.some((tables) => own(tables[other].params, method) !== undefined)) {
    return `"${method}" is sent by the ${other}, not by the ${from}. The ${from} only responds to it.`;
  }
  const version = schemas === version2 ? "version 2 of the protocol" : "the protocol";
  return `"${method}" is not a method of ${version}. Check the spelling. The name of an extension method must start with "_".`;
}

function resultIssues(
  schemas: Schemas,
  from: Side,
  method: string,
  result: unknown,
): readonly { id: string; message: string }[] {
  if (method.startsWith("_")) return [];
  const validators = schemas.flatMap((tables) => own(tables[from].results, method) ?? []);
  return validators.length === 0 ? [] : issuesOf(validators, result, "result");
}

type Validate = (value: unknown) => readonly Issue[];

/** Returns the issues of the first validator, or none if the value is valid for at least one validator. */
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
