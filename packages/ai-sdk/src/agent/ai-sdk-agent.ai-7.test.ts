import { vi } from "vitest";

// The same tests with the next major version of `ai`: the adapter supports both versions.
vi.mock("ai", () => import("ai-7"));
await import("./ai-sdk-agent.test.js");
