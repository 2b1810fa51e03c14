/** The facts about one method besides its types. */
export interface MethodInfo {
  /** The method's name in code: `newSession` for `session/new`. */
  readonly name: string;
  /** The definition of its params. */
  readonly params: string;
  /** The definition of its result; requests only. */
  readonly result?: string;
  /**
   * The capabilities that it needs, one of which must be advertised: the advertising side, then the path inside its
   * capabilities (`agent.sessionCapabilities.list`). Absent when it needs none.
   */
  readonly capability?: readonly string[];
  /** Other preconditions of the method, in words. */
  readonly condition?: string;
  /** `unstable`: only in the unstable schema of this version. */
  readonly stability: "stable" | "unstable";
}

/** The methods of a call map with the facts about each. */
export type MethodTable<Calls> = { readonly [Method in keyof Calls]: MethodInfo };

/** The capabilities that methods need, by method. A method without an entry needs none. */
export type MethodGates = Readonly<Record<string, Pick<MethodInfo, "capability">>>;

/** Handles one method. A handler of a notification returns nothing. */
export type Handler<Params, Result, Context = unknown> = (
  params: Params,
  context: Context,
) => Result | PromiseLike<Result>;
