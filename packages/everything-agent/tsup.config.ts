import config from "@acp-kit/configs/tsup";

// The command is no module that anybody imports, so the export map doesn't name it.
export default config({
  entry: { index: "src/index.ts", "node/index": "src/node/index.ts", "node/main": "src/node/main.ts" },
});
