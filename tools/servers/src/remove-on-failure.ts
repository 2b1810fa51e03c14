import { rmSync } from "node:fs";

/** Removes the folder of a server if the server does not start. */
export async function removeOnFailure<T>(folder: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}
