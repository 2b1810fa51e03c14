export type {
  ErrorObject,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "./message.js";
export type { MalformedInput, Transport, TransportReceiver } from "./transport.js";
