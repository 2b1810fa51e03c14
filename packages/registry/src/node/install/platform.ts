/** Returns the registry's name of a platform: `linux-x86_64`, `darwin-aarch64`, `windows-x86_64`, … */
export function registryPlatform(platform: string = process.platform, arch: string = process.arch): string {
  const os = platform === "win32" ? "windows" : platform;
  const cpu = arch === "x64" ? "x86_64" : arch === "arm64" ? "aarch64" : arch;
  return `${os}-${cpu}`;
}
