import { isDeeperThan, messageLimitDefaults } from "@acp-kit/protocol";
import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import { Cell } from "../cell.js";
import type { ClientContext } from "../connect-options.js";
import type { Readable } from "../transcript/readable.js";
import { optionOfKind, type PermissionAnswer } from "./permission-answer.js";
import type { PermissionDecision } from "./permission-decision.js";
import type { PermissionDecider } from "./permission-rule.js";
import { toolCallPaths } from "./tool-call-paths.js";

/** Where a remembered choice applies: in its session, in every session with the same working directory, or everywhere. */
export type ChoiceScope = "session" | "workspace" | "everywhere";

/** A choice of `allow_always` or `reject_always`, which `rememberChoices` repeats. It is plain data that can be stored as JSON. */
export interface RememberedChoice {
  readonly verdict: "allow" | "reject";
  readonly scope: ChoiceScope;
  /** The id of the session or the path of the working directory to which the choice applies; absent for `everywhere`. */
  readonly of?: string;
  /** Identifies the tool calls to which the choice applies; {@link RememberOptions.key} computes it. */
  readonly key: string;
  /** The title of the tool call about which the choice was made, for a list of choices that the user can read. */
  readonly title?: string;
  /** The time of the choice, in milliseconds since 1970. */
  readonly since: number;
}

/** Options of {@link rememberChoices}. */
export interface RememberOptions {
  /** Where a remembered choice applies; the default is `session`. */
  readonly scope?: ChoiceScope | ((decision: PermissionDecision) => ChoiceScope);
  /**
   * Returns a key for a tool call. The choice is repeated for tool calls with the same key; if the function returns
   * `undefined`, the choice is not remembered. With the default, {@link sameCall}, a choice applies to equal tool
   * calls; with {@link sameTool}, it applies to all tool calls of the same tool.
   */
  readonly key?: (request: IncomingRequestPermissionRequest) => string | undefined;
  /** The choices that were stored earlier. */
  readonly choices?: readonly RememberedChoice[];
}

/** The permission rule that {@link rememberChoices} creates, with its choices. */
export interface RememberedChoices extends PermissionDecider {
  /** The remembered choices. The application can show them to the user, store them, and pass them as `choices` later. */
  readonly choices: Readable<readonly RememberedChoice[]>;
  forget(choice: RememberedChoice): void;
}

/**
 * Creates a permission rule that remembers each `allow_always` and `reject_always` that any rule chooses, and repeats
 * the choice for the same tool calls. Put this rule before the rule that prompts the user.
 *
 * The rule repeats a choice with `allow_once`, because the agent already received `allow_always`, or with
 * `allow_always` if the agent does not offer `allow_once`. The rule repeats a rejection in the same way, or with
 * `cancelled` if the agent offers no option that rejects. If a remembered permission and a remembered rejection apply
 * to the same tool call, the rule rejects it.
 */
export function rememberChoices({
  scope = "session",
  key = sameCall,
  choices: before = [],
}: RememberOptions = {}): RememberedChoices {
  const choices = new Cell<readonly RememberedChoice[]>([...before]);
  return {
    name: "rememberChoices",
    choices,
    forget(choice) {
      choices.set(choices.snapshot.filter((other) => other !== choice));
    },
    async decide(request, context) {
      const about = key(request);
      if (about === undefined) return undefined;
      const fitting = choices.snapshot.filter((choice) => choice.key === about && isInScope(choice, request, context));
      if (fitting.length === 0) return undefined;
      return answerFor(fitting.some(({ verdict }) => verdict === "reject") ? "reject" : "allow", request);
    },
    onDecision(decision, request, context) {
      const kind = decision.option?.kind;
      if (kind !== "allow_always" && kind !== "reject_always") return;
      if (decision.by.type === "rule" && decision.by.rule === this.name) return;
      const about = key(request);
      const reach = typeof scope === "function" ? scope(decision) : scope;
      const of = placeOfScope(reach, request, context);
      if (about === undefined || (of === undefined && reach !== "everywhere")) return;
      const choice: RememberedChoice = {
        verdict: kind === "allow_always" ? "allow" : "reject",
        scope: reach,
        key: about,
        since: decision.decidedAt,
        ...(of !== undefined && { of }),
        ...(decision.title !== undefined && { title: decision.title }),
      };
      const isOther = (other: RememberedChoice): boolean =>
        other.key !== about || other.scope !== reach || other.of !== of;
      choices.set([...choices.snapshot.filter(isOther), choice]);
    },
  };
}

const filed: ReadonlySet<string> = new Set(["read", "edit", "delete", "move", "search"]);

/**
 * Returns the same key for two tool calls if their kind, tool, title and paths are equal; the raw input must be equal,
 * too, unless the tool call has paths and its kind is about files (such as `read` or `edit`). Returns `undefined` for a
 * tool call without title, tool name and paths, and for a tool call whose input is nested too deep.
 */
export function sameCall({ toolCall }: IncomingRequestPermissionRequest): string | undefined {
  const { kind, name, title, rawInput } = toolCall;
  const paths = [...toolCallPaths(toolCall)].sort();
  if (!title && !name && paths.length === 0) return undefined;
  if (isDeeperThan(rawInput, messageLimitDefaults.maxMessageDepth)) return undefined; // too deep to be serialized
  const isAboutFiles = filed.has(kind ?? "other") && paths.length > 0;
  return JSON.stringify([
    kind ?? "other",
    name ?? "",
    title ?? "",
    paths,
    isAboutFiles ? null : (sorted(rawInput) ?? null),
  ]);
}

/**
 * Returns the same key for two tool calls of the same tool. The key is the tool's name or, if the agent sends none, the
 * kind of the tool call. Returns `undefined` if there is no name and the kind is `other`.
 */
export function sameTool({ toolCall }: IncomingRequestPermissionRequest): string | undefined {
  const { kind, name } = toolCall;
  if (name) return JSON.stringify(["name", name]);
  return kind && kind !== "other" ? JSON.stringify(["kind", kind]) : undefined;
}

function answerFor(
  verdict: RememberedChoice["verdict"],
  { options }: IncomingRequestPermissionRequest,
): PermissionAnswer {
  const kinds =
    verdict === "allow" ? (["allow_once", "allow_always"] as const) : (["reject_once", "reject_always"] as const);
  return (
    kinds.find((kind) => optionOfKind(options, kind) !== undefined) ?? (verdict === "reject" ? "cancelled" : undefined)
  );
}

function isInScope(
  { scope, of }: RememberedChoice,
  request: IncomingRequestPermissionRequest,
  context: ClientContext,
): boolean {
  if (scope === "everywhere") return true;
  return of !== undefined && of === placeOfScope(scope, request, context);
}

function placeOfScope(
  scope: ChoiceScope,
  { sessionId }: IncomingRequestPermissionRequest,
  { session }: ClientContext,
): string | undefined {
  if (scope === "session") return sessionId;
  return scope === "workspace" ? session?.roots[0] : undefined;
}

/** Returns the value with its members sorted, so that their order doesn't matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
