import config from "@acp-kit/configs/tsup";

// The schema files themselves are part of the package: copied byte for byte, with the manifest that names their source.
export default config({ publicDir: "../../schema" });
