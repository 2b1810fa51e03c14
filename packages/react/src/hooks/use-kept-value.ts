import type { Session } from "@acp-kit/client";
import { useMemo, useState } from "react";
import { constant, Value } from "../store/value.js";
import { useReadable } from "./use-readable.js";

/**
 * Keeps one value for each session that a component shows, and returns the current value of the given session and the
 * object that sets it. A value can also be set while the component shows another session.
 *
 * @param initial the value until one is set. It must be the same object in each render.
 */
export function useKeptValue<T>(session: Session | undefined, initial: T): readonly [T, Value<T> | undefined] {
  const [kept] = useState(() => new WeakMap<Session, Value<T>>());
  const none = useMemo(() => constant(initial), [initial]);
  let value = session && kept.get(session);
  if (session !== undefined && value === undefined) {
    value = new Value(initial);
    kept.set(session, value);
  }
  return [useReadable(value ?? none, initial), value];
}
