import type { IncomingRequestPermissionRequest, PermissionOptionKind, ToolKind } from "@acp-kit/types";
import { isInside, mayBeInside, type PathPlace, placeOf } from "./path-place.js";
import { optionOfKind } from "./permission-answer.js";
import type { PermissionContext, PermissionDecider } from "./permission-rule.js";
import { toolCallPaths } from "./tool-call-paths.js";

/**
 * Which tool calls a rule is about: all that is said here holds.
 *
 * It is what the agent says of its call that is matched. A rule is a convenience for honest agents; what confines a dishonest one are the
 * file and terminal handlers, or a sandbox.
 */
export interface PermissionMatch {
  /** The kind of its tool is one of these. A call without a kind is `other`. */
  readonly kinds?: readonly ToolKind[];
  /** The programmatic name of its tool is one of these. */
  readonly names?: readonly string[];
  /** Its title is this, or has a part that fits. */
  readonly title?: string | RegExp;
  /**
   * It names paths, and each lies in one of these folders; `"session"` stands for the roots of its session. A call that names none does not
   * match, nor does one with a path that can't be resolved.
   */
  readonly within?: readonly string[] | "session";
  /** Some path it names lies in one of these folders, or is one, or can't be resolved. In any case of letters: this is for refusing. */
  readonly touching?: readonly string[];
  /** Its session is one of these. */
  readonly sessions?: readonly string[];
  /** Anything else. */
  readonly when?: (
    request: IncomingRequestPermissionRequest,
    context: PermissionContext,
  ) => boolean | PromiseLike<boolean>;
  /** Follows symbolic links before paths are compared; one that fails counts as a path that can't be resolved. */
  readonly realPath?: (path: string) => PromiseLike<string>;
}

/** What a rule is called, and how it says yes or no. */
export interface PermissionRuleOptions<Kind extends PermissionOptionKind> {
  /** For the audit trail. */
  readonly name?: string;
  /** Default: once. */
  readonly kind?: Kind;
}

/**
 * Allows what matches, with an option of the kind `allow_once`. Where the agent doesn't offer that kind, the next rule decides.
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
      if (!(await matches(match, request, context))) return undefined;
      return optionOfKind(request.options, kind) && kind;
    },
  };
}

/** Rejects what matches, with an option of the kind `reject_once`. Where the agent doesn't offer that kind, the answer is `cancelled`. */
export function reject(
  match: PermissionMatch,
  { name = "reject", kind = "reject_once" }: PermissionRuleOptions<"reject_once" | "reject_always"> = {},
): PermissionDecider {
  return {
    name,
    async decide(request, context) {
      if (!(await matches(match, request, context))) return undefined;
      return optionOfKind(request.options, kind) ? kind : "cancelled";
    },
  };
}

/** Allows reading and searching: everywhere, or `within` some folders. */
export function allowReads(match: Omit<PermissionMatch, "kinds"> = {}): PermissionDecider {
  return allow({ ...match, kinds: ["read", "search"] }, { name: "allowReads" });
}

async function matches(
  match: PermissionMatch,
  request: IncomingRequestPermissionRequest,
  context: PermissionContext,
): Promise<boolean> {
  const { toolCall, sessionId } = request;
  const { kinds, names, title, sessions, within, touching, when } = match;
  if (kinds !== undefined && !kinds.includes(toolCall.kind ?? "other")) return false;
  if (names !== undefined && !names.includes(toolCall.name ?? "")) return false;
  if (sessions !== undefined && !sessions.includes(sessionId)) return false;
  if (typeof title === "string" && toolCall.title !== title) return false;
  if (title instanceof RegExp && (toolCall.title ?? "").search(title) < 0) return false; // `search` keeps no `lastIndex`
  if (within !== undefined || touching !== undefined) {
    const cwd = context.session?.roots[0];
    const paths = await Promise.all(toolCallPaths(toolCall).map((path) => placeOfReal(path, cwd, match.realPath)));
    const roots = within === "session" ? (context.session?.roots ?? []) : within;
    if (
      roots !== undefined &&
      !isWithin(
        paths,
        roots.map((root) => placeOf(root)),
      )
    )
      return false;
    if (
      touching !== undefined &&
      !isTouching(
        paths,
        touching.map((folder) => placeOf(folder, cwd)),
      )
    )
      return false;
  }
  return when === undefined || (await when(request, context));
}

type Places = readonly (PathPlace | undefined)[];

function isWithin(paths: Places, roots: Places): boolean {
  const inside = (path: PathPlace): boolean => roots.some((root) => root !== undefined && isInside(path, root));
  return paths.length > 0 && paths.every((path) => path !== undefined && inside(path));
}

function isTouching(paths: Places, folders: Places): boolean {
  const near = (path: PathPlace): boolean =>
    folders.some((folder) => folder !== undefined && mayBeInside(path, folder));
  return paths.some((path) => path === undefined || near(path));
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
