// A server that is a read-only twin of another one, and how far it has followed.

export interface Following {
  /** The name of the other server. */
  remote: string;
  /** When this process began to follow, epoch ms. */
  since: number;
  /** The end of the last pull that succeeded, epoch ms; null before the first one. */
  pulledAt: number | null;
  /** Whether the last pull has failed. */
  hasFailed: boolean;
}

/** With this header the command that follows marks its own writes. It counts only from commands on this machine. */
export const FOLLOW_HEADER = "X-Ctxrepo-Follow";

/** What is wrong with following, and what to do; undefined if nothing is. */
export function followingProblem({ remote, hasFailed }: Following): string | undefined {
  return hasFailed ? `the last pull from ${remote} has failed: the log of the server says why` : undefined;
}
