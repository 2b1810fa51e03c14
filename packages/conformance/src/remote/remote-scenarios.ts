import type { RemoteScenario } from "./remote-context.js";
import { httpScenarios } from "./scenarios/http.js";
import { streamScenarios } from "./scenarios/streams.js";
import { webSocketScenarios } from "./scenarios/web-socket.js";

/** Every scenario about the remote transports of a server. */
export const remoteScenarios: readonly RemoteScenario[] = [...httpScenarios, ...streamScenarios, ...webSocketScenarios];
