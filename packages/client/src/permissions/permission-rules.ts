import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { IncomingRequestPermissionRequest, PermissionOptionKind, ToolKind } from "@acp-kit/types";
import { isInside, MAX_PATH_LENGTH, mayBeInside, type PathPlace, placeOf } from "./path-place.js";
import type { NamedPermissionRule, PermissionContext } from "./permission-rule.js";
import { optionOfKind } from "./rule-decision.js";
import { toolCallPaths } from "./tool-call-paths.js";

/**
 * The limits up to which a rule compares the paths and the title of a tool call. {@link PermissionMatch} describes what
 * happens above them.
 */
export const permissionMatchLimits: {
  /** The maximum number of different paths of a tool call. */
  readonly maxPaths: number;
  /** The maximum length of a path, in UTF-16 units. */
  readonly maxPathLength: number;
  /**
   * The maximum length of a title that is matched against a regular expression, in UTF-16 units. Most expressions take
   * more than linear time.
   */
  readonly maxTitleLength: number;
} = { maxPaths: 1_000, maxPathLength: MAX_PATH_LENGTH, maxTitleLength: 8_192 };

/**
 * The conditions of a permission rule: the rule matches tool calls that fulfil all of them.
 *
 * In `allow`, a condition for paths does not match a tool call with a path that can't be resolved or is too long. In
 * `reject`, such a path counts as inside every folder.
 * If a tool call has too many paths (see {@link permissionMatchLimits}), the rule does not compare them: in `allow`, a
 * condition for paths does not match; in `reject`, it matches. The same is true for a title that is too long for a
 * regular expression.
 *
 * Rules only see the agent's own description of its tool call. Rules reduce the number of prompts to the user, but they
 * don't confine a dishonest agent. To confine an agent, use file and terminal handlers that check paths, or a sandbox.
 */
export interface PermissionMatch {
  /** Matches tool calls of these kinds. A tool call without a kind counts as `other`. */
  readonly kinds?: readonly ToolKind[];
  /** Matches tool calls whose tool has one of these names (`toolCall.name`, not the title). */
  readonly names?: readonly string[];
  /** Matches tool calls whose title is this string or matches this regular expression. */
  readonly title?: string | RegExp;
  /**
   * Matches tool calls whose paths are all inside these folders. `"session"` stands for the folders of the session. A
   * tool call without paths does not match.
   */
  readonly within?: readonly string[] | "session";
  /**
   * Matches tool calls with at least one path that is one of these folders or is inside one of them. `reject` compares
   * paths without regard to upper and lower case.
   */
  readonly touching?: readonly string[];
  /** Matches tool calls of the sessions with these ids. */
  readonly sessions?: readonly string[];
  /** Matches tool calls for which this function returns `true`. */
  readonly when?: (
    request: IncomingRequestPermissionRequest,
    context: PermissionContext,
  ) => boolean | PromiseLike<boolean>;
  /**
   * Resolves the symbolic links of a path or of a folder before they are compared. `reject` compares them as they are
   * written, too. If the function rejects, the path counts as one that can't be resolved; a folder that can't be
   * resolved is compared as it is written in `reject`, and contains nothing in `allow`.
   */
  readonly realPath?: (path: string) => PromiseLike<string>;
}

/** Options of the permission rules {@link allow} and {@link reject}. */
export interface PermissionRuleOptions<Kind extends PermissionOptionKind> {
  /** The name of the rule in permission decisions. */
  readonly name?: string;
  /**
   * The kind of option that the rule chooses. The default is `allow_once` for `allow` and `reject_once` for `reject`.
   */
  readonly kind?: Kind;
}

/**
 * Creates a permission rule that allows matching tool calls: it chooses an option of the kind `allow_once`. If the
 * agent doesn't offer that kind of option, the next rule decides.
 *
 * @example
 * ```ts
 * allow({ kinds: ["edit"], within: "session" })
 * ```
 */
export function allow(
  match: PermissionMatch,
  options: PermissionRuleOptions<"allow_once" | "allow_always"> = {},
): NamedPermissionRule {
  checkOptions("allow", match, matchKinds, "match.");
  checkOptions("allow", options, { name: "value", kind: ["allow_once", "allow_always"] });
  const { name = "allow", kind = "allow_once" } = options;
  return {
    name,
    async decide(request, context) {
      if (!(await matches(match, request, context, allowing))) return undefined;
      return optionOfKind(request.options, kind) && kind;
    },
  };
}

/**
 * Creates a permission rule that rejects matching tool calls: it chooses an option of the kind `reject_once`. If the
 * agent doesn't offer that kind of option, it chooses the mildest rejection; without any, the outcome is `cancelled`.
 */
export function reject(
  match: PermissionMatch,
  options: PermissionRuleOptions<"reject_once" | "reject_always"> = {},
): NamedPermissionRule {
  checkOptions("reject", match, matchKinds, "match.");
  checkOptions("reject", options, { name: "value", kind: ["reject_once", "reject_always"] });
  const { name = "reject", kind = "reject_once" } = options;
  return {
    name,
    async decide(request, context) {
      if (!(await matches(match, request, context, rejecting))) return undefined;
      return optionOfKind(request.options, kind) ? kind : "reject";
    },
  };
}

/** Creates a permission rule that allows tool calls that read or search, everywhere or only `within` some folders. */
export function allowReads(match: Omit<PermissionMatch, "kinds"> = {}): NamedPermissionRule {
  checkOptions("allowReads", match, readMatchKinds, "match.");
  return allow({ ...match, kinds: ["read", "search"] }, { name: "allowReads" });
}
const readMatchKinds: OptionKinds<Omit<PermissionMatch, "kinds">> = {
  names: "value",
  title: "value",
  within: "value",
  touching: "value",
  sessions: "value",
  when: "function",
  realPath: "function",
};
const matchKinds: OptionKinds<PermissionMatch> = { kinds: "value", ...readMatchKinds };

/**
 * The differences between `allow` and `reject`: whether a condition matches a path or title that can't be compared
 * (`unknown`), and the function that compares paths.
 */
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
  return title.search(wanted) >= 0; // unlike `test`, `search` doesn't depend on `lastIndex`
}

async function fitsPaths(
  { within, touching, realPath }: PermissionMatch,
  paths: readonly string[],
  sessionRoots: readonly string[],
  { unknown, isInside }: Judgement,
): Promise<boolean> {
  const [cwd] = sessionRoots;
  /**
   * The places of each path with which it is compared: if the links are resolved, `reject` also uses the place as it is
   * written.
   */
  const placesOf = (all: readonly (PathPlace | undefined)[]): Promise<(PathPlace | undefined)[][]> =>
    Promise.all(
      all.map(async (place) => {
        if (place === undefined || realPath === undefined) return [place];
        const real = await realPlaceOf(place, realPath);
        return unknown ? [place, real] : [real];
      }),
    );
  const places = await placesOf(paths.map((path) => placeOf(path, cwd)));
  if (!unknown && places.flat().includes(undefined)) return false;
  const isInOneOf = async (folders: readonly (PathPlace | undefined)[]) => {
    const known = (await placesOf(folders)).flat().filter((folder) => folder !== undefined);
    return (places: readonly (PathPlace | undefined)[]): boolean =>
      places.some((place) => place === undefined || known.some((folder) => isInside(place, folder)));
  };
  if (within !== undefined) {
    const roots = (within === "session" ? sessionRoots : within).map((root) => placeOf(root));
    if (places.length === 0 || !places.every(await isInOneOf(roots))) return false;
  }
  return touching === undefined || places.some(await isInOneOf(touching.map((folder) => placeOf(folder, cwd))));
}

async function realPlaceOf(
  place: PathPlace,
  realPath: NonNullable<PermissionMatch["realPath"]>,
): Promise<PathPlace | undefined> {
  const separator = place.windows ? "\\" : "/";
  const whole = `${place.root === "/" ? "" : place.root}${separator}${place.names.join(separator)}`;
  try {
    return placeOf(await realPath(whole));
  } catch {
    return undefined;
  }
}
