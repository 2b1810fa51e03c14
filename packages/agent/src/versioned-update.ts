import type { SessionUpdate } from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";

/** An update of the agent: one of version 1, whose form is the same in all versions, or one that only version 2 has. */
export type VersionedUpdate =
  | SessionUpdate
  | Extract<
      v2.SessionUpdate,
      {
        sessionUpdate:
          | "user_message"
          | "agent_message"
          | "agent_thought"
          | "tool_call_content_chunk"
          | "terminal_update"
          | "terminal_output_chunk"
          | "plan_update";
      }
    >;
