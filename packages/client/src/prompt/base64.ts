/** Encodes bytes as base64. A string must already be base64, and is returned unchanged. */
export function base64Of(data: Uint8Array | string): string {
  if (typeof data === "string") return data;
  const step = 0x8000; // engines limit the number of arguments of a call
  let binary = "";
  for (let start = 0; start < data.length; start += step) {
    binary += String.fromCharCode(...data.subarray(start, start + step));
  }
  return btoa(binary);
}
