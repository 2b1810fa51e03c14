import type { Gateway } from "../gateway.js";

/**
 * Returns the response at `/healthz` or `/readyz`, `undefined` for any other path. The response contains no details,
 * because any caller may read it.
 */
export function healthResponse(gateway: Gateway, pathname: string): Response | undefined {
  if (pathname === "/healthz") return plain(200, "ok\n");
  if (pathname !== "/readyz") return undefined;
  const { isDraining, isEngineReachable } = gateway.status();
  if (isDraining) return plain(503, "draining\n");
  return isEngineReachable ? plain(200, "ready\n") : plain(503, "no engine\n");
}

function plain(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
