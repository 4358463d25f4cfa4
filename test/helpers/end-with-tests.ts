// Loaded into every program that tests start (`--preload`): it ends when the test process is gone, however that ended.

const tests = Number(process.env.TESTS_PID);
/** Otherwise a shell or a tracer is in between. */
const isChild = process.ppid === tests;
const INTERVAL_MS = 500;

/** In a container whose first process does not collect ended ones, only a child sees that its parent has ended. */
function isOrphan(): boolean {
  if (isChild) return process.ppid !== tests;
  try {
    process.kill(tests, 0);
    return false;
  } catch {
    return true;
  }
}

function endIfOrphan(): void {
  if (isOrphan()) process.exit(1);
}
setInterval(endIfOrphan, INTERVAL_MS).unref();
endIfOrphan();
