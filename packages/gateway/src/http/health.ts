import type { Gateway } from "../gateway.js";

/** The response at `/healthz` or `/readyz`; `undefined` for any other path. It says nothing but whether. */
export function healthResponse(gateway: Gateway, pathname: string): Response | undefined {
  if (pathname === "/healthz") return plain(200, "ok\n");
  if (pathname !== "/readyz") return undefined;
  return gateway.status().isDraining ? plain(503, "draining\n") : plain(200, "ready\n");
}

function plain(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
