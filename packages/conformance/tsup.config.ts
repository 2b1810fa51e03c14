import config from "@acp-kit/configs/tsup";

// A third of the package is sentences about rules. What can be saved is the space around them: a fifth of the whole.
export default config({
  esbuildOptions(options: { minifyWhitespace?: boolean }) {
    options.minifyWhitespace = true;
  },
});
