import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/**
 * Serves packed packages as a registry for npm, on the loopback interface. It redirects requests for other packages to
 * the registry `next`.
 *
 * @param {readonly { readonly name: string, readonly path: string, readonly manifest: { readonly version: string } }[]}
 * tarballs the manifest is that of the tarball
 * @param {{ port?: number, next: string }} options
 */
export async function serveTarballs(tarballs, { port = 0, next }) {
  const known = new Map(tarballs.map((tarball) => [tarball.name, tarball]));
  const server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(url.split("?", 1)[0].slice(1));
    const isTarball = path.endsWith("/-/package.tgz");
    const tarball = known.get(isTarball ? path.slice(0, -"/-/package.tgz".length) : path);
    // The same version is packed again and again, so nothing may be cached.
    response.setHeader("cache-control", "no-store");
    if (tarball === undefined) {
      response.writeHead(307, { location: new URL(url.slice(1), next).href }).end();
    } else if (isTarball) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(readFileSync(tarball.path));
    } else {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(documentOf(tarball, address())));
    }
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = () => `http://127.0.0.1:${server.address().port}`;
  return {
    url: address(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function documentOf({ name, path, manifest }, registry) {
  const { version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
  const dist = { tarball: `${registry}/${name}/-/package.tgz`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
