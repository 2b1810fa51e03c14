import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownSessionConfigOption } from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";
import { type JsonObject, mapped } from "./objects.js";

/**
 * Converts configuration options of version 2: `configId` is `id`, and `groupId` is `group`. Version 1 has no other
 * types than `select` and `boolean`; clients of version 1 receive `boolean` only if they offer it.
 *
 * @see https://agentclientprotocol.com/protocol/v2/session-config-options
 */
export function configOptionsToV1(
  options: readonly v2.IncomingSessionConfigOption[],
  { booleans }: { readonly booleans: boolean },
  lost: Lost,
): v1.SessionConfigOption[] {
  return mapped(options, (option) => {
    const { configId, ...rest } = option as unknown as JsonObject;
    if (!isKnownSessionConfigOption(option) || (option.type === "boolean" && !booleans)) {
      lost("config_option");
      return undefined;
    }
    if (option.type === "boolean") return { ...rest, id: configId } as unknown as v1.SessionConfigOption;
    const values = (option.options as (v2.SessionConfigSelectOption | v2.SessionConfigSelectGroup)[]).map((value) => {
      if (!("groupId" in value)) return value;
      const { groupId, ...group } = value;
      return { ...group, group: groupId };
    });
    return { ...rest, id: configId, options: values } as unknown as v1.SessionConfigOption;
  });
}

/**
 * Converts configuration options of version 1. Version 2 forbids options and groups without values; they are left out.
 */
export function configOptionsToV2(
  options: readonly v1.IncomingSessionConfigOption[],
  lost: Lost,
): v2.SessionConfigOption[] {
  return mapped(options, (option) => {
    const { id, ...rest } = option as unknown as JsonObject;
    const converted = { ...rest, configId: id } as JsonObject;
    if (rest.type !== "select") return converted as unknown as v2.SessionConfigOption;
    converted.options = mapped(
      rest.options as (v1.SessionConfigSelectOption | v1.SessionConfigSelectGroup)[],
      (value) => {
        if (!("group" in value)) return value;
        const { group, ...members } = value;
        return members.options.length > 0 ? { ...members, groupId: group } : undefined;
      },
    );
    if ((converted.options as unknown[]).length > 0) return converted as unknown as v2.SessionConfigOption;
    lost("config_option");
    return undefined;
  });
}
