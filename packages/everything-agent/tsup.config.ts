import config from "@acp-kit/configs/tsup";

// The command is not a module to import, so `exports` doesn't list it.
export default config({
  entry: { index: "src/index.ts", "node/index": "src/node/index.ts", "node/main": "src/node/main.ts" },
});
