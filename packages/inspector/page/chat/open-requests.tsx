import { FormCard, type FormCardProps, PermissionCard, type PermissionCardProps, plainLine } from "@acp-kit/react";
import type { IncomingToolCallUpdate, ToolKind } from "@acp-kit/types";
import { decodeCreateElicitationRequest } from "@acp-kit/types/decode";
import type { ReactElement, SyntheticEvent } from "react";
import type { Conversation, OpenRequest } from "../model/conversation.js";
import { decoded, listOf, textOf } from "../model/members.js";
import { useInspected } from "../parts/context.js";
import { JsonView } from "../parts/json-view.js";

/** Props of {@link OpenRequests}. */
export interface OpenRequestsProps {
  readonly conversation: Conversation;
  readonly sessionId: string | undefined;
  /** Whether the page can respond. On the page of a connection that it only watches, the requests have no buttons. */
  readonly isLive: boolean;
}

const MAX_SHOWN = 5;

/** The agent's requests that wait for the user: permissions, forms, files and terminals. */
export function OpenRequests({ conversation, sessionId, isLive }: OpenRequestsProps): ReactElement | null {
  const { link } = useInspected();
  const { access } = link.state;
  const isManual = ({ method }: OpenRequest): boolean => {
    if (method.startsWith("fs/")) return access?.files === "manual";
    if (method.startsWith("terminal/")) return access?.terminals === "manual";
    return true;
  };
  const open = [...conversation.agentRequests.values()].filter(
    (request) => isManual(request) && (request.sessionId === undefined || request.sessionId === sessionId),
  );
  if (open.length === 0) return null;
  return (
    <div className="open-requests">
      {open.slice(0, MAX_SHOWN).map((request) => (
        <Request key={JSON.stringify(request.id)} request={request} conversation={conversation} isLive={isLive} />
      ))}
      {open.length > MAX_SHOWN && <p className="acp-note">{`${open.length - MAX_SHOWN} more requests wait.`}</p>}
    </div>
  );
}

function Request({
  request,
  conversation,
  isLive,
}: {
  readonly request: OpenRequest;
  readonly conversation: Conversation;
  readonly isLive: boolean;
}): ReactElement {
  const { link } = useInspected();
  const { id, method, params, sessionId } = request;
  if (method === "session/request_permission") {
    const options = listOf(params, "options").map((option) => ({
      optionId: textOf(option, "optionId") ?? "",
      name: textOf(option, "name") ?? "",
      kind: (textOf(option, "kind") ?? "") as never,
    }));
    const toolCall = toolCallOf(request, conversation);
    const onDecide: PermissionCardProps["onDecide"] = (choice) =>
      link.respond(id, {
        outcome: choice === "cancelled" ? { outcome: "cancelled" } : { outcome: "selected", optionId: choice.optionId },
      });
    return (
      <PermissionCard
        title={toolCall?.title ?? ""}
        options={options}
        {...(toolCall && { toolCall })}
        {...(isLive && { onDecide })}
      />
    );
  }
  if (method === "elicitation/create") {
    const form = decoded(decodeCreateElicitationRequest, params);
    if (form?.mode === "form" || form?.mode === "url") {
      const isCompleted = conversation.completed.has(textOf(params, "elicitationId") ?? "");
      const request = form as FormCardProps["request"];
      return (
        <fieldset className="open-form" disabled={!isLive}>
          <FormCard request={request} completed={isCompleted} onRespond={(response) => link.respond(id, response)} />
        </fieldset>
      );
    }
  }
  return (
    <fieldset className="acp-permission" disabled={!isLive}>
      <legend>{`${plainLine(method, 80)} ${plainLine(sessionId, 40)}`}</legend>
      <JsonView value={params} />
      <ManualAnswer request={request} />
    </fieldset>
  );
}

function ManualAnswer({ request }: { readonly request: OpenRequest }): ReactElement {
  const { link } = useInspected();
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("result"));
    try {
      link.respond(request.id, JSON.parse(text));
    } catch {
      event.currentTarget.querySelector("textarea")?.setAttribute("aria-invalid", "true");
    }
  };
  const refuse = (): void =>
    link.send({
      do: "send",
      message: { jsonrpc: "2.0", id: request.id, error: { code: -32_601, message: "Refused by the user" } },
    });
  return (
    <form onSubmit={onSubmit}>
      <textarea
        name="result"
        rows={3}
        aria-label="The result, as JSON"
        defaultValue={Object.hasOwn(results, request.method) ? results[request.method] : "{}"}
      />
      <button type="submit">Respond</button>{" "}
      <button type="button" onClick={refuse}>
        Refuse
      </button>
    </form>
  );
}

const results: Readonly<Record<string, string>> = {
  "fs/read_text_file": '{ "content": "" }',
  "terminal/create": '{ "terminalId": "t1" }',
  "terminal/output": '{ "output": "", "truncated": false }',
  "terminal/wait_for_exit": '{ "exitCode": 0 }',
};

/** Returns the tool call of a permission request with everything that the transcript has about it. */
function toolCallOf(
  { toolCallId, sessionId, params }: OpenRequest,
  conversation: Conversation,
): IncomingToolCallUpdate | undefined {
  const snapshot = conversation.sessions.get(sessionId ?? "")?.snapshot;
  const child = snapshot?.children?.[textOf(params, "sessionId") ?? ""];
  const { entries = [] } = child?.transcript ?? snapshot ?? {};
  const entry = entries.findLast((each) => each.type === "tool_call" && each.toolCallId === toolCallId);
  if (entry?.type !== "tool_call") return undefined;
  const { title, content, locations, rawInput } = entry;
  const kind = entry.kind as ToolKind; // only shown; an agent of version 2 can send any string
  return { toolCallId: entry.toolCallId, title, kind, content: [...content], locations: [...locations], rawInput };
}
