import { vi } from "vitest";

// The same tests with the next major of `ai`: one adapter supports both.
vi.mock("ai", () => import("ai-7"));
await import("./ai-sdk-agent.test.js");
