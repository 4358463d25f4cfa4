// What installers of other systems need to know of a release: the files that they download, their digests and the
// address.

import type { Target } from "../targets.ts";

/**
 * The address of the folder that contains the files of a release, without a slash at its end. Empty: installers take
 * them from their own folder.
 */
export const DOWNLOADS = "";

/** Throws an Error unless the address is empty or one that needs no quoting in scripts. */
export function checkAddress(address: string): void {
  if (address !== "" && !/^https?:\/\/[\w.:/%~+-]*[^/]$/.test(address))
    throw new Error(`${address}: must be an http or https URL of a folder, without a slash at its end`);
}

export interface Download {
  target: Target;
  /** File name of the archive. */
  file: string;
  /** Hex SHA-256 of the archive. */
  sha256: string;
  /** The only folder in the archive. */
  folder: string;
}

export interface Downloads {
  version: string;
  /** See DOWNLOADS. */
  address: string;
  archives: readonly Download[];
}
