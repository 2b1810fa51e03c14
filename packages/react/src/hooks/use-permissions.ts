import type { PermissionQuestion, Session } from "@acp-kit/client";
import { useMemo } from "react";
import { useAgentStore } from "../store/agent-context.js";
import { useReadable } from "./use-readable.js";

const none: readonly PermissionQuestion[] = [];

/**
 * Returns the permission requests (questions) that wait for the user, of the given session, or of all sessions if no
 * session is given. Call `decide` of a question to decide the request. If the request is settled in another way, such
 * as by a cancellation, the question leaves the list.
 */
export function usePermissions(session?: Session): readonly PermissionQuestion[] {
  const questions = useReadable(useAgentStore().permissions, none);
  return useMemo(
    () => (session === undefined ? questions : questions.filter((question) => question.session === session)),
    [questions, session],
  );
}
