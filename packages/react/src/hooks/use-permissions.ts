import type { PermissionQuestion, Session } from "@acp-kit/client";
import { useMemo } from "react";
import { useAgentStore } from "../store/agent-context.js";
import { useReadable } from "./use-readable.js";

const none: readonly PermissionQuestion[] = [];

/**
 * Returns the permission requests that wait for the user: those of the given session, or those of all sessions if no
 * session is given. A question's `answer` decides it; a question that is settled elsewhere, such as by a cancel, leaves
 * the list.
 */
export function usePermissions(session?: Session): readonly PermissionQuestion[] {
  const questions = useReadable(useAgentStore().permissions, none);
  return useMemo(
    () => (session === undefined ? questions : questions.filter((question) => question.session === session)),
    [questions, session],
  );
}
