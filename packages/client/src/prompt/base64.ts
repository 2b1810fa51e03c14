/** Encodes bytes as base64; a string is base64 already and is returned as it is. */
export function base64Of(data: Uint8Array | string): string {
  if (typeof data === "string") return data;
  const step = 0x8000; // the number of arguments of one call is limited
  let binary = "";
  for (let start = 0; start < data.length; start += step) {
    binary += String.fromCharCode(...data.subarray(start, start + step));
  }
  return btoa(binary);
}
