import { expect, it } from "vitest";
import { childEnvironment } from "./child-environment.js";

const editor = {
  PATH: "/bin",
  NODE_OPTIONS: "--use-system-ca",
  VSCODE_GIT_IPC_HANDLE: "/run/git.sock",
  VSCODE_IPC_HOOK_CLI: "/run/cli.sock",
};
const hosts = {
  ELECTRON_RUN_AS_NODE: "1",
  ELECTRON_NO_ATTACH_CONSOLE: "1",
  VSCODE_IPC_HOOK: "/run/main.sock",
  VSCODE_PID: "1",
  VSCODE_NLS_CONFIG: "{}",
};

it("env.host: an agent inherits all variables but those of a program that embeds this process", () => {
  expect(childEnvironment({ ...editor, ...hosts })).toEqual(editor);
  expect(childEnvironment({ ...editor, ...hosts }, {}, false)).toEqual({});
});

it("env.host: a list of names and the caller's own variables can contain them", () => {
  const { ELECTRON_RUN_AS_NODE } = hosts;
  expect(childEnvironment({ ...editor, ...hosts }, {}, ["ELECTRON_RUN_AS_NODE"])).toEqual({ ELECTRON_RUN_AS_NODE });
  expect(childEnvironment({ ...hosts }, { ELECTRON_RUN_AS_NODE })).toEqual({ ELECTRON_RUN_AS_NODE });
});

it.each([
  [
    "without exceptions",
    { HTTP_PROXY: "http://p" },
    { NO_PROXY: "localhost,127.0.0.1", no_proxy: "localhost,127.0.0.1" },
  ],
  [
    "with exceptions",
    { https_proxy: "http://p", no_proxy: "a.example" },
    { no_proxy: "a.example,localhost,127.0.0.1" },
  ],
  ["for everything", { ALL_PROXY: "http://p", NO_PROXY: "*" }, { NO_PROXY: "*" }],
])("env.loopback: a proxy %s never applies to this machine", (_, env, expected) => {
  expect(childEnvironment({ PATH: "/bin", ...env })).toEqual({ PATH: "/bin", ...env, ...expected });
});

it("env.loopback: without a proxy, or with an empty one, the exceptions stay as they are", () => {
  for (const env of [{ NO_PROXY: "a" }, { HTTP_PROXY: "", NO_PROXY: "a" }, {}])
    expect(childEnvironment(env)).toEqual(env);
});
