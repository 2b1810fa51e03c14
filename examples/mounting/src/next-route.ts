// #region next
// app/acp/route.ts
import { handler } from "./handler.js";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";
export const { fetch: GET, fetch: POST, fetch: DELETE, fetch: OPTIONS } = handler;
// #endregion next
