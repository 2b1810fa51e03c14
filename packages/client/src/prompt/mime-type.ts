/**
 * The MIME types of files that users send to coding agents. `.ts` is TypeScript here, although the extension is
 * registered for video.
 */
const types: Readonly<Record<string, string>> = {
  // text
  txt: "text/plain",
  log: "text/plain",
  md: "text/markdown",
  mdx: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  htm: "text/html",
  css: "text/css",
  xml: "application/xml",
  svg: "image/svg+xml",
  json: "application/json",
  jsonl: "application/jsonl",
  yaml: "application/yaml",
  yml: "application/yaml",
  toml: "application/toml",
  diff: "text/x-diff",
  patch: "text/x-diff",
  // code
  js: "text/javascript",
  mjs: "text/javascript",
  cjs: "text/javascript",
  jsx: "text/javascript",
  ts: "text/typescript",
  mts: "text/typescript",
  cts: "text/typescript",
  tsx: "text/typescript",
  c: "text/x-c",
  h: "text/x-c",
  cc: "text/x-c++",
  cpp: "text/x-c++",
  hpp: "text/x-c++",
  cs: "text/x-csharp",
  go: "text/x-go",
  java: "text/x-java",
  kt: "text/x-kotlin",
  php: "text/x-php",
  py: "text/x-python",
  rb: "text/x-ruby",
  rs: "text/x-rust",
  sh: "text/x-shellscript",
  sql: "application/sql",
  swift: "text/x-swift",
  // not text
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
  pdf: "application/pdf",
  zip: "application/zip",
  wasm: "application/wasm",
};

/** Returns the MIME type that belongs to the extension of a file name, or `undefined` if the extension is unknown. */
export function mimeTypeOf(name: string): string | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(types, extension) ? types[extension] : undefined;
}
