import config from "@acp-kit/configs/tsup";

/** The modules that `src/internal.ts` exports. */
const BUILDING_BLOCKS = /\/runtime\/(checks|decoder|decoding)\.js$/;

/**
 * Version 2 takes the building blocks of its decoders from `dist/internal.js` instead of a copy of its own: every package that
 * depends on this one installs them, and few programs load version 2.
 */
const shareBuildingBlocks = {
  name: "share-building-blocks",
  setup(build) {
    build.onResolve({ filter: BUILDING_BLOCKS }, ({ importer }) =>
      /[\\/]v2[\\/]/.test(importer) ? { path: "../internal.js", external: true } : undefined,
    );
  },
};

// One file for each entry, because each file costs an agent's start a millisecond. The error class is then in more than one of
// them: `isDecodeError` works for all.
export default config({ splitting: false, esbuildPlugins: [shareBuildingBlocks] });
