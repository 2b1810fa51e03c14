import {
  checkOptions,
  isDeeperThan,
  messageLimitDefaults,
  type OptionKinds,
  shorten,
} from "@acp-kit/protocol/internal";
import type { IncomingRequestPermissionRequest, IncomingToolCallContent, IncomingToolCallUpdate } from "@acp-kit/types";
import { Cell } from "../cell.js";
import type { ClientContext } from "../client-context.js";
import type { Readable } from "../transcript/readable.js";
import { isEmptyValue } from "./empty-members.js";
import type { PermissionDecision } from "./permission-decision.js";
import type { NamedPermissionRule } from "./permission-rule.js";
import { permissionView } from "./permission-view.js";
import { optionOfKind, type RuleDecision } from "./rule-decision.js";
import { toolCallPaths } from "./tool-call-paths.js";

/**
 * Where a remembered decision applies: in its session, in every session with the same working directory, or everywhere.
 */
export type DecisionScope = "session" | "workspace" | "everywhere";

/**
 * A decision of `allow_always` or `reject_always`, which `rememberDecisions` repeats. It is plain data that can be
 * stored as JSON.
 */
export interface RememberedDecision {
  readonly decision: "allow" | "reject";
  readonly scope: DecisionScope;
  /**
   * The id of the session or the path of the working directory to which the decision applies; absent for `everywhere`.
   */
  readonly of?: string;
  /** Identifies the tool calls to which the decision applies; {@link RememberOptions.key} computes it. */
  readonly key: string;
  /** The title of the tool call about which the decision was made. It is only the agent's description. */
  readonly title?: string;
  /**
   * What the decision covers, for a list of decisions that the user can read: the command, the paths, the content or
   * the input of the tool call, shortened. Absent if the option `key` of {@link rememberDecisions} decides what the
   * decision covers.
   */
  readonly covers?: string;
  /** The time of the decision, in milliseconds since 1970. */
  readonly since: number;
}

/** Options of {@link rememberDecisions}. */
export interface RememberOptions {
  /** Where a remembered decision applies; the default is `session`. */
  readonly scope?: DecisionScope | ((decision: PermissionDecision) => DecisionScope);
  /**
   * Returns a key for a tool call. The decision is repeated for tool calls with the same key; if the function returns
   * `undefined`, the decision is not remembered. With the default, {@link sameCall}, a decision applies to equal tool
   * calls. A key of only the tool or its kind would allow every later command and file.
   */
  readonly key?: (request: IncomingRequestPermissionRequest, context: ClientContext) => string | undefined;
  /** The decisions that were stored earlier. */
  readonly decisions?: readonly RememberedDecision[];
}

/** The permission rule that {@link rememberDecisions} creates, with its decisions. */
export interface RememberedDecisions extends NamedPermissionRule {
  /**
   * The remembered decisions. The application can show them to the user, store them, and pass them as `decisions`
   * later.
   */
  readonly decisions: Readable<readonly RememberedDecision[]>;
  forget(decision: RememberedDecision): void;
}

/**
 * Creates a permission rule that remembers each `allow_always` and `reject_always` that any rule decides, and repeats
 * the decision for the same tool calls. Put this rule before the rule that prompts the user.
 *
 * The rule repeats a decision with `allow_once`, because the agent already received `allow_always`, or with
 * `allow_always` if the agent does not offer `allow_once`. The rule repeats a rejection with the
 * mildest rejection that the agent offers. If a remembered permission and a remembered rejection apply
 * to the same tool call, the rule rejects it.
 */
export function rememberDecisions(options: RememberOptions = {}): RememberedDecisions {
  checkOptions("rememberDecisions", options, optionKinds);
  const { scope = "session", key = sameCall, decisions: before = [] } = options;
  const decisions = new Cell<readonly RememberedDecision[]>([...before]);
  return {
    name: "rememberDecisions",
    decisions,
    forget(decision) {
      decisions.set(decisions.snapshot.filter((other) => other !== decision));
    },
    async decide(request, context) {
      const about = key(request, context);
      if (about === undefined) return undefined;
      const fitting = decisions.snapshot.filter(
        (remembered) => remembered.key === about && isInScope(remembered, request, context),
      );
      if (fitting.length === 0) return undefined;
      return decisionFor(fitting.some(({ decision }) => decision === "reject") ? "reject" : "allow", request);
    },
    onDecision(decision, request, context) {
      const kind = decision.option?.kind;
      if (kind !== "allow_always" && kind !== "reject_always") return;
      if (decision.by.type === "none" || decision.by.type === "timeout") return; // no user and no rule chose "always"
      if (decision.by.type === "rule" && decision.by.rule === this.name) return;
      const about = key(request, context);
      const reach = typeof scope === "function" ? scope(decision) : scope;
      const of = placeOfScope(reach, request, context);
      if (about === undefined || (of === undefined && reach !== "everywhere")) return;
      const remembered: RememberedDecision = {
        decision: kind === "allow_always" ? "allow" : "reject",
        scope: reach,
        key: about,
        since: decision.decidedAt,
        ...(of !== undefined && { of }),
        ...(decision.title !== undefined && { title: decision.title }),
        ...(key === sameCall && { covers: coverageOf(request.toolCall) }),
      };
      const isOther = (other: RememberedDecision): boolean =>
        other.key !== about || other.scope !== reach || other.of !== of;
      decisions.set([...decisions.snapshot.filter(isOther), remembered]);
    },
  };
}

const optionKinds: OptionKinds<RememberOptions> = { scope: "value", key: "function", decisions: "value" };

/**
 * Returns the same key for two equal tool calls in the same working directory: their kind, tool, title, paths, input
 * and content are equal. For a tool call of the kind `read` or `edit` with paths, the texts of the file and the line
 * numbers may differ, so the decision covers the files.
 *
 * Returns `undefined` if the request does not say what the agent is going to do: it has neither an input, nor content
 * with code (between backticks) or a resource, nor the paths of files to read, edit or delete. A title is no such
 * statement, because many agents send only the name of the tool. Also returns `undefined` for a tool call that is
 * nested too deep.
 */
export function sameCall(
  { toolCall }: IncomingRequestPermissionRequest,
  { session }: Pick<ClientContext, "session">,
): string | undefined {
  const { kind, name, title, rawInput, content } = toolCall;
  if (isDeeperThan(toolCall, messageLimitDefaults.maxMessageDepth)) return undefined; // too deep to be serialized
  const paths = [...toolCallPaths(toolCall)].sort();
  const isSaid =
    !isEmptyValue(rawInput) || (paths.length > 0 && isAboutFiles(toolCall)) || (content ?? []).some(isDetailed);
  if (!isSaid) return undefined;
  const coversFiles = paths.length > 0 && (kind === "read" || kind === "edit");
  return JSON.stringify([
    session?.roots[0] ?? "",
    kind ?? "other",
    name ?? "",
    title ?? "",
    paths,
    (coversFiles ? withoutFileText(sorted(rawInput)) : sorted(rawInput)) ?? null,
    sorted((content ?? []).filter(({ type }) => !(coversFiles && type === "diff"))),
  ]);
}

/** The kinds whose effect the paths alone describe. A search also has a pattern, and a move has a direction. */
function isAboutFiles({ kind }: IncomingToolCallUpdate): boolean {
  return kind === "read" || kind === "edit" || kind === "delete";
}

/**
 * Returns whether content says what the agent is going to do. A sentence without code may be the same for all calls.
 */
function isDetailed(item: IncomingToolCallContent): boolean {
  if (item.type !== "content") return item.type === "diff";
  const { type, text } = item.content as { readonly type: string; readonly text?: unknown };
  return type === "text" ? /`[^`\s]/.test(String(text)) : type === "resource" || type === "resource_link";
}

/**
 * The members of an input that hold a text of the file, or a position in it. Any other member may name another file.
 */
const fileTexts: ReadonlySet<string> = new Set([
  ...["content", "old_string", "new_string", "oldString", "newString", "old_str", "new_str", "oldText", "newText"],
  ...["offset", "limit", "line"],
]);

function withoutFileText(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(withoutFileText);
  if (typeof input !== "object" || input === null) return input;
  const isText = (name: string, value: unknown): boolean =>
    fileTexts.has(name) && (typeof value === "string" || typeof value === "number");
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => !isText(name, value))
      .map(([name, value]) => [name, withoutFileText(value)]),
  );
}

/** The maximum length of {@link RememberedDecision.covers}, in UTF-16 units. */
const maxCovers = 500;

/** Returns what {@link sameCall} compares, for a user. */
function coverageOf(toolCall: IncomingToolCallUpdate): string {
  const paths = toolCallPaths(toolCall);
  const { kind } = toolCall;
  if (paths.length > 0 && (kind === "read" || kind === "edit")) return shorten(paths.join(", "), maxCovers);
  const texts = permissionView({ toolCall }).parts.map((part) => {
    return part.type === "diff" || part.type === "place" ? part.path : part.text;
  });
  return shorten(texts.join(", "), maxCovers);
}

function decisionFor(
  decision: RememberedDecision["decision"],
  { options }: IncomingRequestPermissionRequest,
): RuleDecision {
  if (decision === "reject") return "reject";
  return (["allow_once", "allow_always"] as const).find((kind) => optionOfKind(options, kind) !== undefined);
}

function isInScope(
  { scope, of }: RememberedDecision,
  request: IncomingRequestPermissionRequest,
  context: ClientContext,
): boolean {
  if (scope === "everywhere") return true;
  return of !== undefined && of === placeOfScope(scope, request, context);
}

function placeOfScope(
  scope: DecisionScope,
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
