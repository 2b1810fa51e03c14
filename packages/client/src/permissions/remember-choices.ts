import { isDeeperThan, messageLimitDefaults } from "@acp-kit/protocol";
import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import { Cell } from "../cell.js";
import type { ClientContext } from "../connect-options.js";
import type { Readable } from "../transcript/readable.js";
import { optionOfKind, type PermissionAnswer } from "./permission-answer.js";
import type { PermissionDecision } from "./permission-decision.js";
import type { PermissionDecider } from "./permission-rule.js";
import { toolCallPaths } from "./tool-call-paths.js";

/** How far an "always" reaches: its session, every session that works in the same folder, or all of them. */
export type ChoiceScope = "session" | "workspace" | "everywhere";

/** An "always" that was chosen. Plain data: store it as JSON. */
export interface RememberedChoice {
  readonly verdict: "allow" | "reject";
  readonly scope: ChoiceScope;
  /** The session or the folder; nothing for `everywhere`. */
  readonly of?: string;
  /** What it is about, as {@link RememberOptions.key} made it. */
  readonly key: string;
  /** The title of the call that it was chosen for, for people. */
  readonly title?: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What is remembered, and for how long. */
export interface RememberOptions {
  /** Default `session`. */
  readonly scope?: ChoiceScope | ((decision: PermissionDecision) => ChoiceScope);
  /**
   * Which calls are the same: those with the same key. Nothing: don't remember this one. The default is careful, {@link sameCall};
   * {@link sameTool} makes "always allow" mean the tool.
   */
  readonly key?: (request: IncomingRequestPermissionRequest) => string | undefined;
  /** What was remembered before. */
  readonly choices?: readonly RememberedChoice[];
}

/** The rule that answers what was answered "always" before. */
export interface RememberedChoices extends PermissionDecider {
  /** What an app stores and hands over again, and shows to the user. */
  readonly choices: Readable<readonly RememberedChoice[]>;
  forget(choice: RememberedChoice): void;
}

/**
 * Remembers `allow_always` and `reject_always`, whoever chose them, and answers the same calls with them. Put it before the rule that asks.
 *
 * An allowed call is answered with `allow_once` (the agent was told "always" before), or with what it offers of `allow_always` alone; a rejected
 * one likewise, or `cancelled`. Of two choices that fit, a rejection wins.
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
    decided(decision, request, context) {
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
 * The same call: kind, tool, title and paths are the same, and, for what is not about files, the raw input too. A call that tells nothing of
 * itself is like no other, and so is one whose input is nested too deep to be compared.
 */
export function sameCall({ toolCall }: IncomingRequestPermissionRequest): string | undefined {
  const { kind, name, title, rawInput } = toolCall;
  const paths = [...toolCallPaths(toolCall)].sort();
  if (!title && !name && paths.length === 0) return undefined;
  if (isDeeperThan(rawInput, messageLimitDefaults.maxMessageDepth)) return undefined; // it can't be serialised
  const isAboutFiles = filed.has(kind ?? "other") && paths.length > 0;
  return JSON.stringify([
    kind ?? "other",
    name ?? "",
    title ?? "",
    paths,
    isAboutFiles ? null : (sorted(rawInput) ?? null),
  ]);
}

/** The same tool: its name where the agent tells it, else its kind. `other` is no kind, and `undefined`. */
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

/** The same value whatever the order of its members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
