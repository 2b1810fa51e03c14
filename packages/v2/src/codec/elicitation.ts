import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";
import { isObject, type JsonObject } from "./objects.js";

const v1Formats: ReadonlySet<unknown> = new Set<v1.StringFormat>(["email", "uri", "date", "date-time"]);

/**
 * Converts a request for input of version 1. Both versions have the same form, but version 2 requires `type` and
 * `properties` of a form, which have defaults in version 1.
 *
 * @see https://agentclientprotocol.com/protocol/v2/elicitation
 */
export function elicitationToV2(request: v1.IncomingCreateElicitationRequest): v2.CreateElicitationRequest {
  const { requestedSchema } = request as unknown as JsonObject;
  if (request.mode !== "form" || !isObject(requestedSchema)) return request as unknown as v2.CreateElicitationRequest;
  return {
    ...request,
    requestedSchema: { properties: {}, ...requestedSchema, type: "object" },
  } as unknown as v2.CreateElicitationRequest;
}

/** Converts a request for input of version 2. Version 1 has only some formats of strings; others are left out. */
export function elicitationToV1(request: v2.IncomingCreateElicitationRequest, lost: Lost): v1.CreateElicitationRequest {
  const { requestedSchema } = request as unknown as JsonObject;
  const properties = isObject(requestedSchema) ? requestedSchema.properties : undefined;
  if (!isObject(properties)) return request as unknown as v1.CreateElicitationRequest;
  const converted = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (!isObject(property) || property.type !== "string") return [name, property];
      const { format, ...rest } = property;
      if (format === undefined || format === null || v1Formats.has(format)) return [name, property];
      lost("form");
      return [name, rest];
    }),
  );
  return {
    ...request,
    requestedSchema: { ...(requestedSchema as object), properties: converted },
  } as unknown as v1.CreateElicitationRequest;
}

/**
 * Converts the answer of a client of version 2. An unknown action is handled as `cancel`. In version 1 a value is a
 * string, a number, a boolean or a list of strings; others are left out.
 */
export function elicitationAnswerToV1(
  answer: v2.IncomingCreateElicitationResponse,
  lost: Lost,
): v1.CreateElicitationResponse {
  if (answer.action === "decline" || answer.action === "cancel") return answer as v1.CreateElicitationResponse;
  if (answer.action !== "accept") return { action: "cancel" };
  const { content } = answer as v2.AcceptCreateElicitationResponse;
  if (!content || Object.values(content).every(isV1Value)) return answer as v1.CreateElicitationResponse;
  lost("form");
  const kept = Object.entries(content).filter(([, value]) => isV1Value(value));
  return { ...answer, content: Object.fromEntries(kept) } as v1.CreateElicitationResponse;
}

function isV1Value(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string");
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number";
}
