import * as v1 from "@acp-kit/schema";
import * as v1Unstable from "@acp-kit/schema/unstable";
import * as v2 from "@acp-kit/schema/v2";
import * as v2Unstable from "@acp-kit/schema/v2/unstable";
import * as sdkV1 from "@agentclientprotocol/sdk";
import * as sdkV2 from "@agentclientprotocol/sdk/experimental/v2";
import * as sdkV2Unstable from "@agentclientprotocol/sdk/experimental/v2/unstable";
import * as sdkV1Unstable from "@agentclientprotocol/sdk/unstable";
import { describe, expect, it } from "vitest";
import { newerThanSdk } from "./newer-than-sdk.js";

type Names = Readonly<Record<string, string>>;

interface Sides {
  readonly AGENT_METHODS: Names;
  readonly CLIENT_METHODS: Names;
  readonly PROTOCOL_METHODS: Names;
}

const wireNames = (names: Names) => [...new Set(Object.values(names))].sort();

describe.each([
  ["v1", v1, sdkV1],
  ["v1 unstable", v1Unstable, sdkV1Unstable],
  ["v2", v2, sdkV2],
  ["v2 unstable", v2Unstable, sdkV2Unstable],
] as const)("the methods of %s", (version, ours, theirs: Sides) => {
  const { methods: newer } = newerThanSdk(version.replace(" ", "-"));
  const known = (names: Names) => wireNames(names).filter((name) => !newer.has(name));

  it("equal the methods of the official SDK, for each side", () => {
    expect(known(ours.agentMethods)).toEqual(wireNames(theirs.AGENT_METHODS));
    expect(known(ours.clientMethods)).toEqual(wireNames(theirs.CLIENT_METHODS));
    expect(known(ours.protocolMethods)).toEqual(wireNames(theirs.PROTOCOL_METHODS));
  });

  it("are each listed as a request or a notification", () => {
    const described = (tables: readonly object[]) => tables.flatMap((table) => Object.keys(table)).sort();
    expect(described([ours.agentRequests, ours.agentNotifications])).toEqual(wireNames(ours.agentMethods));
    expect(described([ours.clientRequests, ours.clientNotifications])).toEqual(wireNames(ours.clientMethods));
  });
});
