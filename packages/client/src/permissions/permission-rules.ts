import type { IncomingRequestPermissionRequest, PermissionOptionKind, ToolKind } from "@acp-kit/types";
import { isInside, MAX_PATH_LENGTH, mayBeInside, type PathPlace, placeOf } from "./path-place.js";
import { optionOfKind } from "./permission-answer.js";
import type { PermissionContext, PermissionDecider } from "./permission-rule.js";
import { toolCallPaths } from "./tool-call-paths.js";

/** Limits of the calls that a rule can match; a call beyond them can't be judged. */
export const permissionMatchLimits: {
  /** Different paths of a call. */
  readonly maxPaths: number;
  /** Length of a path, in UTF-16 units. */
  readonly maxPathLength: number;
  /** Length of a title for a regular expression, in UTF-16 units: few expressions are linear. */
  readonly maxTitleLength: number;
} = { maxPaths: 1_000, maxPathLength: MAX_PATH_LENGTH, maxTitleLength: 8_192 };

/**
 * The tool calls that a rule matches: those that fulfil all conditions.
 *
 * A call that can't be judged is not allowed: `allow` does not match it and `reject` does. That is a call with a path whose place is unknown, or
 * beyond {@link permissionMatchLimits}.
 *
 * Rules match the agent's own description of its call. They are a convenience for honest agents; a dishonest one is confined by the
 * file and terminal handlers, or a sandbox.
 */
export interface PermissionMatch {
  /** The kind of its tool is one of these. A call without a kind is `other`. */
  readonly kinds?: readonly ToolKind[];
  /** The programmatic name of its tool is one of these. */
  readonly names?: readonly string[];
  /** Its title is this string, or has a match for this expression. */
  readonly title?: string | RegExp;
  /** It names paths, and each is in one of these folders; `"session"` stands for the roots of its session. A call without paths does not match. */
  readonly within?: readonly string[] | "session";
  /** A path that it names is in one of these folders, or is one. For `reject`, names that differ only in case are the same. */
  readonly touching?: readonly string[];
  /** Its session is one of these. */
  readonly sessions?: readonly string[];
  /** Any other condition. */
  readonly when?: (
    request: IncomingRequestPermissionRequest,
    context: PermissionContext,
  ) => boolean | PromiseLike<boolean>;
  /** Resolves symbolic links before paths are compared; if it rejects, the place of the path is unknown. */
  readonly realPath?: (path: string) => PromiseLike<string>;
}

/** Options of {@link allow} and {@link reject}. */
export interface PermissionRuleOptions<Kind extends PermissionOptionKind> {
  /** The name in the audit trail. */
  readonly name?: string;
  /** The kind of option to choose. Default: once. */
  readonly kind?: Kind;
}

/**
 * Creates a rule that allows matching calls, with an option of the kind `allow_once`. If the agent doesn't offer that kind, the next rule decides.
 *
 * @example
 * ```ts
 * allow({ kinds: ["edit"], within: "session" })
 * ```
 */
export function allow(
  match: PermissionMatch,
  { name = "allow", kind = "allow_once" }: PermissionRuleOptions<"allow_once" | "allow_always"> = {},
): PermissionDecider {
  return {
    name,
    async decide(request, context) {
      if (!(await matches(match, request, context, allowing))) return undefined;
      return optionOfKind(request.options, kind) && kind;
    },
  };
}

/** Creates a rule that rejects matching calls, with an option of the kind `reject_once`. If the agent doesn't offer that kind, the outcome is `cancelled`. */
export function reject(
  match: PermissionMatch,
  { name = "reject", kind = "reject_once" }: PermissionRuleOptions<"reject_once" | "reject_always"> = {},
): PermissionDecider {
  return {
    name,
    async decide(request, context) {
      if (!(await matches(match, request, context, rejecting))) return undefined;
      return optionOfKind(request.options, kind) ? kind : "cancelled";
    },
  };
}

/** Creates a rule that allows reading and searching: everywhere, or `within` some folders. */
export function allowReads(match: Omit<PermissionMatch, "kinds"> = {}): PermissionDecider {
  return allow({ ...match, kinds: ["read", "search"] }, { name: "allowReads" });
}

/** Whether a rule matches a call that it can't judge, and how it compares paths. */
interface Judgement {
  readonly unknown: boolean;
  readonly isInside: (path: PathPlace, folder: PathPlace) => boolean;
}

const allowing: Judgement = { unknown: false, isInside };
const rejecting: Judgement = { unknown: true, isInside: mayBeInside };

async function matches(
  match: PermissionMatch,
  request: IncomingRequestPermissionRequest,
  context: PermissionContext,
  judgement: Judgement,
): Promise<boolean> {
  const { toolCall, sessionId } = request;
  const { kinds, names, title, sessions, within, touching, when } = match;
  if (kinds !== undefined && !kinds.includes(toolCall.kind ?? "other")) return false;
  if (names !== undefined && !names.includes(toolCall.name ?? "")) return false;
  if (sessions !== undefined && !sessions.includes(sessionId)) return false;
  if (title !== undefined && !fitsTitle(toolCall.title ?? "", title, judgement)) return false;
  if (within !== undefined || touching !== undefined) {
    const paths = toolCallPaths(toolCall);
    if (paths.length > permissionMatchLimits.maxPaths) {
      if (!judgement.unknown) return false;
    } else if (!(await fitsPaths(match, paths, context.session?.roots ?? [], judgement))) return false;
  }
  return when === undefined || (await when(request, context));
}

function fitsTitle(title: string, wanted: string | RegExp, { unknown }: Judgement): boolean {
  if (typeof wanted === "string") return title === wanted;
  if (title.length > permissionMatchLimits.maxTitleLength) return unknown;
  return title.search(wanted) >= 0; // `search` keeps no `lastIndex`
}

async function fitsPaths(
  { within, touching, realPath }: PermissionMatch,
  paths: readonly string[],
  sessionRoots: readonly string[],
  { unknown, isInside }: Judgement,
): Promise<boolean> {
  const [cwd] = sessionRoots;
  const places = await Promise.all(paths.map((path) => placeOfReal(path, cwd, realPath)));
  const isInOneOf = (folders: readonly (PathPlace | undefined)[]) => (path: PathPlace | undefined) =>
    path === undefined ? unknown : folders.some((folder) => folder !== undefined && isInside(path, folder));
  if (within !== undefined) {
    const roots = (within === "session" ? sessionRoots : within).map((root) => placeOf(root));
    if (places.length === 0 || !places.every(isInOneOf(roots))) return false;
  }
  return touching === undefined || places.some(isInOneOf(touching.map((folder) => placeOf(folder, cwd))));
}

async function placeOfReal(
  path: string,
  cwd: string | undefined,
  realPath: PermissionMatch["realPath"],
): Promise<PathPlace | undefined> {
  const place = placeOf(path, cwd);
  if (place === undefined || realPath === undefined) return place;
  const separator = place.windows ? "\\" : "/";
  const whole = `${place.root === "/" ? "" : place.root}${separator}${place.names.join(separator)}`;
  try {
    return placeOf(await realPath(whole));
  } catch {
    return undefined;
  }
}
