import type * as v1 from "@acp-kit/types";
import { type IncomingSessionConfigOption, isKnownSessionConfigOption } from "@acp-kit/types/v2";
import { configOptionsToV1 } from "../codec/config-options.js";
import type { JsonObject } from "../codec/objects.js";

/**
 * Converts options of version 2. Unlike a client of version 1, an application can also get options of unknown types.
 */
export function optionsToApi(options: readonly IncomingSessionConfigOption[]): v1.SessionConfigOption[] {
  return options.flatMap((option) => {
    if (isKnownSessionConfigOption(option)) return configOptionsToV1([option], { booleans: true }, () => {});
    const { configId, ...rest } = option as unknown as JsonObject;
    return [{ ...rest, id: configId } as unknown as v1.SessionConfigOption];
  });
}
