import type { NotificationMessage, RequestId, RequestMessage, ResponseMessage } from "@acp-kit/jsonrpc";
import type { FlowControl, Lanes } from "@acp-kit/jsonrpc/internal";
import type { CallHost, InterceptorCall } from "./interceptor-call.js";
import type { Interceptor, InterceptorTable } from "./interceptor-table.js";
import type { OpenRequest } from "./open-request.js";
import type { Side } from "./side.js";

/** A message that waits for its turn in a lane. */
export type Entry = { readonly size: number; readonly text?: string | undefined } & (
  | {
      readonly kind: "notification";
      readonly message: NotificationMessage;
      readonly interceptor: Interceptor | undefined;
    }
  | { readonly kind: "request"; readonly message: RequestMessage; readonly request: OpenRequest }
  | { readonly kind: "response"; readonly message: ResponseMessage; readonly request: OpenRequest }
  /** A response of the proxy itself. */
  | { readonly kind: "answer"; readonly message: ResponseMessage }
);

/** The messages that one side sends. */
export interface Way {
  readonly from: Side;
  readonly to: Side;
  readonly table: InterceptorTable;
  readonly lanes: Lanes<Entry, never>;
  readonly flow: FlowControl;
  /** The open requests that `from` has sent. */
  readonly open: Map<RequestId, OpenRequest>;
  /** The calls of interceptors of these messages that have not ended. */
  readonly calls: Set<InterceptorCall>;
  readonly host: CallHost;
}
