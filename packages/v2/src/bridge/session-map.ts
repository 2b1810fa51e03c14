import { BoundedMap } from "../session/bounded-map.js";
import type { Exchange } from "./exchange.js";

/** The number of sessions of one connection that the bridge remembers. */
const MAX_SESSIONS = 10_000;

/** Creates the map of a connection's sessions. It closes each session that it forgets, and reports that as a loss. */
export function sessionMap<Session extends { close(): void }>({ lost }: Exchange): BoundedMap<string, Session> {
  return new BoundedMap(MAX_SESSIONS, (session: Session) => {
    session.close();
    lost("too_many_items");
  });
}
