import { defineFeatureRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";

/**
 * The rules of the remote transports, streamable HTTP and WebSocket. Their only specification is the RFD "Streamable
 * HTTP & WebSocket Transport", so a server that breaks a MUST of the RFD is not conformant. The rules from RT-40 on are
 * the RFD's table of status codes.
 */
export const remoteRequirements: readonly Requirement[] = defineFeatureRules(
  { feature: "remote transport", observability: "harness" },
  {
    "RT-01 client MUST transport rfd":
      "A client that supports remote ACP supports both profiles: streamable HTTP and WebSocket.",
    "RT-02 agent MAY transport rfd": "A server may offer only WebSocket.",
    "RT-03 both MUST transport rfd": {
      rule: "Streamable HTTP runs over HTTP/2.",
      remedy: "Serve HTTP/2, and negotiate it by ALPN.",
    },
    "RT-04 client MUST transport rfd":
      "A client accepts, stores and returns the server's cookies on both profiles for the life of the connection.",
    "RT-05 agent FACT transport rfd":
      "The server uses one path for all requests. It routes them by the HTTP method, by the header `Upgrade`, and by the headers `Acp-Connection-Id` and `Acp-Session-Id`.",
    "RT-10 client FACT transport rfd":
      "The client opens the stream of the connection right after `initialize`. It opens the stream of a session after `session/new`, or before `session/load`.",
    "RT-11 agent FACT transport rfd":
      "The server sends each message on exactly one stream: messages of a session on the stream of that session, all others on the stream of the connection. The streams are independent.",
    "RT-12 client FACT transport rfd":
      "The client matches responses with requests by the JSON-RPC `id`, across streams.",
    "RT-13 both FACT transport rfd":
      "The client sends its responses to the agent's requests as POSTs with both headers. The server acknowledges them with 202.",
    "RT-14 agent FACT derived":
      "The RFD does not specify what happens to messages of a stream that the client has not opened yet. Without a buffer, the server loses them.",
    "RT-15 both FACT derived":
      "The RFD does not specify the order of messages of two streams. The replay of `session/load` and its response use different streams.",
    "RT-16 both FACT derived": "The RFD does not specify several readers of the same stream.",
    "RT-20 agent FACT transport rfd":
      "The WebSocket upgrade creates the connection. The server sends `Acp-Connection-Id` with the response 101.",
    "RT-21 client MUST transport rfd": {
      rule: "The client sends `initialize` as the first message after the upgrade.",
      remedy: "Refuse every first message after the upgrade that is not initialize.",
    },
    "RT-22 both FACT transport rfd": "Each text frame is one JSON-RPC message. A peer ignores binary frames.",
    "RT-23 agent FACT transport rfd":
      "When the socket closes, the server ends the connection and frees the state that belongs to this connection. A session that the agent stores is not part of that state (RT-31).",
    "RT-24 both FACT derived":
      "The RFD does not specify the sub-protocol, compression, frame size, pings, close codes and fragmentation of WebSocket.",
    "RT-30 both FACT transport rfd":
      "Messages have no numbers and are not replayed. Messages that the server sends while the client is disconnected are lost.",
    "RT-31 agent FACT transport rfd":
      "A session that the agent stores survives a lost connection, although the state of the connection does not (RT-23). The client opens a new connection and sends `initialize`. If the agent advertises `loadSession`, the client then sends `session/load`.",
    "RT-32 both FACT transport rfd":
      "The RFD leaves the detection of dead connections, keep-alive and retries to implementations.",
    "RT-33 both FACT transport rfd":
      "A load balancer may use cookies to send all requests of a connection to the same server.",
    "RT-34 agent FACT derived":
      "The RFD does not specify how long a connection without a stream stays open, and what happens to its running prompts.",
    "RT-35 both FACT derived":
      "The RFD does not specify a POST that the client repeats after a network error: the server may run its request twice.",
    "RT-40 agent MUST transport rfd": {
      rule: "The server responds with 415 to a POST whose `Content-Type` is not `application/json`.",
      remedy: "Check the Content-Type before you read the body. Respond with 415 if it is not application/json.",
    },
    "RT-41 agent FACT transport rfd":
      "The server creates a connection for a POST of `initialize` without `Acp-Connection-Id`. It responds with 200, the JSON response in the body, and `Acp-Connection-Id` in the header.",
    "RT-42 agent FACT transport rfd": "The server responds with 400 to any other POST without `Acp-Connection-Id`.",
    "RT-43 agent FACT transport rfd": "The server responds with 404 to a POST with an unknown `Acp-Connection-Id`.",
    "RT-44 agent FACT transport rfd":
      "The server responds with 400 to a POST that belongs to a session and has no `Acp-Session-Id`.",
    "RT-45 agent FACT transport rfd": "The server responds with 501 to a POST of a JSON-RPC batch.",
    "RT-46 agent FACT transport rfd":
      "The server immediately responds with 202 and an empty body to any other POST. It sends the JSON-RPC response on a stream.",
    "RT-47 agent MUST transport rfd": {
      rule: "The server responds with 406 to a GET whose `Accept` does not include `text/event-stream`.",
      remedy: "Check Accept before you open a stream. Respond with 406 if it does not include text/event-stream.",
    },
    "RT-48 agent FACT transport rfd": "The server responds with 400 to a GET of a stream without `Acp-Connection-Id`.",
    "RT-49 agent FACT transport rfd":
      "The server responds with 404 to a GET of a stream with an unknown `Acp-Connection-Id`.",
    "RT-50 agent FACT derived":
      "The server responds with 404 to a GET of the stream of an unknown session. A client that reconnects opens the stream before `session/load`; for this reason, a server may also open the stream.",
    "RT-51 agent FACT transport rfd": "The server opens the stream of a session for a GET with both headers.",
    "RT-52 agent FACT transport rfd":
      "The server opens the stream of the connection for a GET with `Acp-Connection-Id` alone.",
    "RT-53 agent FACT transport rfd":
      "The server responds with 202 to a DELETE, and ends the connection with all of its streams.",
    "RT-54 agent FACT transport rfd": "The server responds with 400 to a DELETE without `Acp-Connection-Id`.",
    "RT-55 agent FACT transport rfd":
      "The server sends a stream with the content type `text/event-stream`. Each event has one JSON-RPC message in `data`.",
    "RT-56 agent FACT transport rfd": "The server responds with 404 to an `Acp-Session-Id` of another connection.",
  },
);
