import { toStorageError } from "@signalbox/db";

/**
 * Waits for a call on tables that are asked through Prisma.
 *
 * @throws AppError `storage_full`, `storage_busy` or `storage_corrupt` in place of the driver's error
 */
export async function storageCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toStorageError(error);
  }
}
