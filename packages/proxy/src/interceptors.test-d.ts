import { type LinkedTransport, linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { type AcpProxy, createProxy, type ProxySession, withProxies } from "@acp-kit/proxy";
import type {
  IncomingNewSessionResponse,
  IncomingPromptRequest,
  IncomingRequestPermissionRequest,
  Plan,
  PromptResponse,
} from "@acp-kit/types";
import { expectTypeOf, test } from "vitest";

const info = { name: "a", version: "1" };

test("params, sessions and results have the types of the protocol", () => {
  createProxy({
    info,
    fromClient: {
      "session/prompt": async ({ params, session }, next) => {
        expectTypeOf(params).toEqualTypeOf<IncomingPromptRequest>();
        expectTypeOf(session).toEqualTypeOf<ProxySession>();
        const result = await next({ ...params, prompt: [] });
        expectTypeOf(result).toEqualTypeOf<PromptResponse>();
        return result;
      },
      "session/new": async ({ session }, next) => {
        expectTypeOf(session).toEqualTypeOf<ProxySession | undefined>();
        const result = await next();
        expectTypeOf(result).toEqualTypeOf<IncomingNewSessionResponse>();
        return result;
      },
      _odd: ({ params }, next) => {
        expectTypeOf(params).toBeUnknown();
        return next();
      },
    },
    fromAgent: {
      "session/request_permission": {
        order: "free",
        intercept: ({ params }, next) => {
          expectTypeOf(params).toEqualTypeOf<IncomingRequestPermissionRequest>();
          return next();
        },
      },
      "session/update": {
        plan: ({ params }, next) => {
          expectTypeOf(params.update).toExtend<Plan>();
          next();
        },
      },
    },
  });
});

test("mistakes do not compile", () => {
  // @ts-expect-error updates are sent by the agent
  createProxy({ info, fromClient: { "session/update": (_: unknown, next: () => void) => next() } });
  // @ts-expect-error the result has no stop reason
  createProxy({ info, fromClient: { "session/prompt": () => ({}) } });
  createProxy({
    info,
    // @ts-expect-error the kind does not exist
    fromAgent: { "session/update": { chunk: () => {} } },
  });
});

test("withProxies returns what fits where the agent fits", () => {
  const proxies: AcpProxy[] = [];
  const [transport] = linkedTransports();
  expectTypeOf(withProxies(transport, proxies)).toEqualTypeOf<Transport>();
  expectTypeOf(withProxies(Promise.resolve(transport), proxies)).toEqualTypeOf<Promise<Transport>>();
  const served = { connect: (_: Transport, defaults?: { a: number }) => ({ closed: Promise.resolve(defaults) }) };
  expectTypeOf(withProxies(served, proxies).connect).toEqualTypeOf<typeof served.connect>();
  expectTypeOf<LinkedTransport>().toExtend<Transport>();
});
