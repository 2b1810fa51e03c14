import type { Readable, Session, SessionOption } from "@acp-kit/client";
import { useCallback } from "react";
import { constant } from "../store/value.js";
import { useKeptValue } from "./use-kept-value.js";
import { useReadable } from "./use-readable.js";

const noOptions: readonly SessionOption[] = [];
const none: Readable<readonly SessionOption[]> = constant(noOptions);

/** The result of {@link useOptions}. */
export interface UseOptions {
  /** The mode, the model and all other options of the session, in the agent's order. */
  readonly options: readonly SessionOption[];
  /** The id of the option that the last call of `set` sets, until the call has settled; otherwise `undefined`. */
  readonly pending: string | undefined;
  /** The error of the last call of `set`, until the next call. */
  readonly error: unknown;
  /** Sets an option by its id or its category. Resolves with `false`, and sets `error`, if it fails; never rejects. */
  readonly set: (idOrCategory: string, value: string | boolean) => Promise<boolean>;
}

interface LastSet {
  readonly pending?: string;
  readonly error?: unknown;
}

const noSet: LastSet = {};

/** Returns the options of a session, and a function that sets one. */
export function useOptions(session: Session | undefined): UseOptions {
  const options = useReadable<readonly SessionOption[]>(session?.options ?? none, noOptions);
  const [{ pending, error }, last] = useKeptValue(session, noSet);
  const set = useCallback(
    async (idOrCategory: string, value: string | boolean): Promise<boolean> => {
      if (session === undefined || last === undefined) return false;
      const call: LastSet = { pending: session.options.get(idOrCategory)?.id ?? idOrCategory };
      const settled = (result: LastSet): void => {
        if (last.snapshot === call) last.set(result);
      };
      last.set(call);
      try {
        await session.options.set(idOrCategory, value);
        settled(noSet);
        return true;
      } catch (reason) {
        settled({ error: reason });
        return false;
      }
    },
    [session, last],
  );
  return { options, pending, error, set };
}
