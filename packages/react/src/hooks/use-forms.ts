import type { Session } from "@acp-kit/client";
import { useMemo } from "react";
import { useAgentStore } from "../store/agent-context.js";
import type { FormRequest } from "../store/form-requests.js";
import { useReadable } from "./use-readable.js";

const none: readonly FormRequest[] = [];

/**
 * Returns the forms and web pages that wait for the user, of the given session, or of all sessions if no
 * session is given. The store needs `forms: true`, so that the client advertises elicitation.
 */
export function useForms(session?: Session): readonly FormRequest[] {
  const forms = useReadable(useAgentStore().forms, none);
  return useMemo(
    () => (session === undefined ? forms : forms.filter((form) => form.session === session)),
    [forms, session],
  );
}
