import type { RemoteScenario } from "../../remote/remote-context.js";
import { httpScenarios } from "./http.js";
import { streamScenarios } from "./streams.js";
import { webSocketScenarios } from "./web-socket.js";

/** Every scenario about the remote transports of a server. */
export const remoteScenarios: readonly RemoteScenario[] = [...httpScenarios, ...streamScenarios, ...webSocketScenarios];
