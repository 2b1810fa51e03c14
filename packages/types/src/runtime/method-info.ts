/** What is known about one method besides its types. */
export interface MethodInfo {
  /** The method's name in code: `newSession` for `session/new`. */
  readonly name: string;
  /** The definition of its params. */
  readonly params: string;
  /** The definition of its result; requests only. */
  readonly result?: string;
  /**
   * The capabilities that open it, one of which must be advertised: the side that advertises, then the path inside its
   * capabilities (`agent.sessionCapabilities.list`). Absent when no capability is concerned.
   */
  readonly capability?: readonly string[];
  /** What else must have been said before the method may be used, in words. */
  readonly condition?: string;
  /** `unstable`: only in the unstable schema of this version. */
  readonly stability: "stable" | "unstable";
}

/** The methods of a call map with what is known about each. */
export type MethodTable<Calls> = { readonly [Method in keyof Calls]: MethodInfo };

/** The capabilities that open methods, by method. What is not in it, is open. */
export type MethodGates = Readonly<Record<string, Pick<MethodInfo, "capability">>>;

/** Answers one method. A handler of a notification returns nothing. */
export type Handler<Params, Result, Context = unknown> = (
  params: Params,
  context: Context,
) => Result | PromiseLike<Result>;
