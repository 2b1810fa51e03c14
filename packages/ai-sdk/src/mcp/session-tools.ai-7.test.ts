import { vi } from "vitest";

// The same tests with the next major versions of `ai` and `@ai-sdk/mcp`: the adapter supports both versions.
vi.mock("ai", () => import("ai-7"));
vi.mock("@ai-sdk/mcp", () => import("ai-sdk-mcp-2"));
vi.mock("@ai-sdk/mcp/mcp-stdio", () => import("ai-sdk-mcp-2/mcp-stdio"));
await import("./session-tools.test.js");
