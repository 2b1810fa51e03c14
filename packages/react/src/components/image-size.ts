/** The supported types of images. Their size can be read before a browser decodes them. */
const types: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The maximum length of an image as base64. */
const MAX_LENGTH = 14_000_000;
/** The maximum number of pixels of an image. A small file may need gigabytes after decoding. */
const MAX_PIXELS = 40_000_000;

/**
 * Returns the `src` of an image that an agent sent as base64. Returns `undefined` for other types, for images that are
 * too large, and for data that is not an image.
 */
export function imageSource(mimeType: unknown, data: unknown): string | undefined {
  if (typeof mimeType !== "string" || typeof data !== "string") return undefined;
  if (!types.has(mimeType) || data.length > MAX_LENGTH || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return undefined;
  const pixels = pixelsOf(bytesOf(data));
  return pixels !== undefined && pixels <= MAX_PIXELS ? `data:${mimeType};base64,${data}` : undefined;
}

/** The bytes that are searched for the size. In a JPEG, preview pictures of a camera may precede it. */
const HEAD = 262_144;

function bytesOf(data: string): Uint8Array {
  const head = data.slice(0, HEAD - (HEAD % 4));
  try {
    return Uint8Array.from(atob(head), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function pixelsOf(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
  if (bytes.length >= 24 && text(1, 4) === "PNG") return view.getUint32(16) * view.getUint32(20);
  if (bytes.length >= 10 && text(0, 3) === "GIF") return view.getUint16(6, true) * view.getUint16(8, true);
  if (bytes.length >= 30 && text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return webpPixels(view, text(12, 16));
  if (bytes.length >= 4 && view.getUint16(0) === 0xff_d8) return jpegPixels(view);
  return undefined;
}

function webpPixels(view: DataView, kind: string): number | undefined {
  const uint24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  if (kind === "VP8X") return (uint24(24) + 1) * (uint24(27) + 1);
  if (kind === "VP8 ") return (view.getUint16(26, true) & 0x3f_ff) * (view.getUint16(28, true) & 0x3f_ff);
  if (kind !== "VP8L") return undefined;
  const bits = view.getUint32(21, true);
  return ((bits & 0x3f_ff) + 1) * (((bits >>> 14) & 0x3f_ff) + 1);
}

/** Returns the number of pixels of a JPEG, from its first segment that contains the width and the height. */
function jpegPixels(view: DataView): number | undefined {
  let at = 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return view.getUint16(at + 5) * view.getUint16(at + 7);
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}
