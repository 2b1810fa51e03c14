import config from "@acp-kit/configs/tsup";

/** The modules that `src/internal.ts` exports. */
const BUILDING_BLOCKS = /\/runtime\/(checks|decoder|decoding)\.js$/;

/**
 * The build of version 2 imports these modules from `dist/internal.js`. A copy of them in the files of version 2 would
 * enlarge every installation of this package, and few programs load version 2.
 */
const shareBuildingBlocks = {
  name: "share-building-blocks",
  setup(build) {
    build.onResolve({ filter: BUILDING_BLOCKS }, ({ importer }) =>
      /[\\/]v2[\\/]/.test(importer) ? { path: "../internal.js", external: true } : undefined,
    );
  },
};

// Each entry point is one file without shared chunks, because each loaded file delays an agent's start by a
// millisecond. Several files then contain their own class `DecodeError`; `isDecodeError` recognizes the errors of all
// of them.
export default config({ splitting: false, esbuildPlugins: [shareBuildingBlocks] });
