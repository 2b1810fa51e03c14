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
import { optionOfKind, type PermissionAnswer } from "./permission-answer.js";
import type { PermissionDecision } from "./permission-decision.js";
import type { PermissionDecider } from "./permission-rule.js";
import { permissionView } from "./permission-view.js";
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
  /** The title of the tool call about which the choice was made. It is only the agent's description. */
  readonly title?: string;
  /**
   * What the choice covers, for a list of choices that the user can read: the command, the paths, the content or the input of
   * the tool call, shortened. Absent if the option `key` of {@link rememberChoices} decides what the choice covers.
   */
  readonly covers?: string;
  /** The time of the choice, in milliseconds since 1970. */
  readonly since: number;
}

/** Options of {@link rememberChoices}. */
export interface RememberOptions {
  /** Where a remembered choice applies; the default is `session`. */
  readonly scope?: ChoiceScope | ((decision: PermissionDecision) => ChoiceScope);
  /**
   * Returns a key for a tool call. The choice is repeated for tool calls with the same key; if the function returns
   * `undefined`, the choice is not remembered. With the default, {@link sameCall}, a choice applies to equal tool calls.
   * A key of only the tool or its kind would allow every later command and file.
   */
  readonly key?: (request: IncomingRequestPermissionRequest, context: ClientContext) => string | undefined;
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
 * `allow_always` if the agent does not offer `allow_once`. The rule repeats a rejection with the
 * mildest rejection that the agent offers. If a remembered permission and a remembered rejection apply
 * to the same tool call, the rule rejects it.
 */
export function rememberChoices(options: RememberOptions = {}): RememberedChoices {
  checkOptions("rememberChoices", options, optionKinds);
  const { scope = "session", key = sameCall, choices: before = [] } = options;
  const choices = new Cell<readonly RememberedChoice[]>([...before]);
  return {
    name: "rememberChoices",
    choices,
    forget(choice) {
      choices.set(choices.snapshot.filter((other) => other !== choice));
    },
    async decide(request, context) {
      const about = key(request, context);
      if (about === undefined) return undefined;
      const fitting = choices.snapshot.filter((choice) => choice.key === about && isInScope(choice, request, context));
      if (fitting.length === 0) return undefined;
      return answerFor(fitting.some(({ verdict }) => verdict === "reject") ? "reject" : "allow", request);
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
      const choice: RememberedChoice = {
        verdict: kind === "allow_always" ? "allow" : "reject",
        scope: reach,
        key: about,
        since: decision.decidedAt,
        ...(of !== undefined && { of }),
        ...(decision.title !== undefined && { title: decision.title }),
        ...(key === sameCall && { covers: coverageOf(request.toolCall) }),
      };
      const isOther = (other: RememberedChoice): boolean =>
        other.key !== about || other.scope !== reach || other.of !== of;
      choices.set([...choices.snapshot.filter(isOther), choice]);
    },
  };
}

const optionKinds: OptionKinds<RememberOptions> = { scope: "value", key: "function", choices: "value" };

/**
 * Returns the same key for two equal tool calls in the same working directory: their kind, tool, title, paths, input and
 * content are equal. For a tool call of the kind `read` or `edit` with paths, the texts of the file and the line numbers
 * may differ, so the choice covers the files.
 *
 * Returns `undefined` if the request does not say what the agent is going to do: it has neither an input, nor content
 * with code (between backticks) or a resource, nor the paths of files to read, edit or delete. A title is no such
 * statement, because many agents send only the name of the tool. Also returns `undefined` for a tool call that is nested too deep.
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

/** Returns whether content says what the agent is going to do. A sentence without code may be the same for all calls. */
function isDetailed(item: IncomingToolCallContent): boolean {
  if (item.type !== "content") return item.type === "diff";
  const { type, text } = item.content as { readonly type: string; readonly text?: unknown };
  return type === "text" ? /`[^`\s]/.test(String(text)) : type === "resource" || type === "resource_link";
}

/** The members of an input that hold a text of the file, or a position in it. Any other member may name another file. */
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

/** The maximum length of {@link RememberedChoice.covers}, in UTF-16 units. */
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

function answerFor(
  verdict: RememberedChoice["verdict"],
  { options }: IncomingRequestPermissionRequest,
): PermissionAnswer {
  if (verdict === "reject") return "reject";
  return (["allow_once", "allow_always"] as const).find((kind) => optionOfKind(options, kind) !== undefined);
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
