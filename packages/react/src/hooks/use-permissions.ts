import type { PermissionQuestion, Session } from "@acp-kit/client";
import { useMemo } from "react";
import { useAgentStore } from "../store/agent-context.js";
import { useReadable } from "./use-readable.js";

const none: readonly PermissionQuestion[] = [];

/**
 * Returns the permission requests that wait for the user: those of the session, or of all sessions without an argument.
 * A question's `answer` decides it; a question that is settled elsewhere, such as by a cancel, leaves the list.
 */
export function usePermissions(session?: Session): readonly PermissionQuestion[] {
  const questions = useReadable(useAgentStore().permissions, none);
  return useMemo(
    () => (session === undefined ? questions : questions.filter((question) => question.session === session)),
    [questions, session],
  );
}
