// Processor time, for tests that compare the duration of work with a limit: other processes do not change it.

/** Milliseconds of processor time that all threads of this process have used. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
