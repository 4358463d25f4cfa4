// Writes log lines to a file descriptor without ever blocking the event loop: lines are collected and written together,
// one write at a time. If the reader is too slow, lines are dropped and counted.

import fs from "node:fs";
import { type Clock, systemClock } from "./clock.ts";

export interface LogOutput {
  /** Takes one line, which ends in a newline. */
  write(line: string): void;
  /** The number of lines that were dropped. */
  readonly dropped: number;
  /** Writes what is left. Resolves when it is written, or after a second. */
  close(): Promise<void>;
}

const STDERR = 2;
/** Maximum number of characters that wait while the reader is slow. */
const MAX_WAITING_CHARACTERS = 1024 * 1024;
const MAX_CLOSE_MS = 1_000;
/** The pause before another try on a full pipe that does not block. */
const RETRY_MS = 10;

export interface LogOutputOptions {
  descriptor?: number;
  clock?: Clock;
  /** Called with the number of lines that were dropped once lines can be written again. */
  onDropped?: (lines: number) => void;
}

/**
 * An output to stderr, or to another descriptor. Lines are written at the end of the current turn of the event loop.
 */
export function openLogOutput(options: LogOutputOptions = {}): LogOutput {
  const { descriptor = STDERR, clock = systemClock, onDropped } = options;
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let dropped = 0;
  let reported = 0;
  let isScheduled = false;
  /** The write that is running. */
  let writing: Promise<void> | undefined;
  /** Nobody can read the lines: the pipe or the terminal was closed. */
  let isBroken = false;

  const takeWaiting = (): string => {
    const text = waiting.join("");
    waiting = [];
    waitingCharacters = 0;
    return text;
  };

  const writeBatch = async (lines: number, bytes: Buffer) => {
    for (let offset = 0; offset < bytes.length; ) {
      try {
        offset += await writeSome(descriptor, bytes, offset);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EAGAIN") {
          await clock.sleep(RETRY_MS);
          continue;
        }
        // A full disk may have space again later; a closed pipe has no reader any more.
        isBroken = code === "EPIPE" || code === "EBADF" || code === "EIO";
        dropped += lines;
        return;
      }
    }
  };

  const flush = () => {
    isScheduled = false;
    if (writing || waiting.length === 0) return;
    const lines = waiting.length;
    writing = writeBatch(lines, Buffer.from(takeWaiting())).then(() => {
      writing = undefined;
      if (dropped > reported && !isBroken) {
        const count = dropped - reported;
        reported = dropped;
        onDropped?.(count);
      }
      flush();
    });
  };

  /** The process is ending: a write that is still running has a reader that does not read. */
  const writeRest = () => {
    if (writing || isBroken || waiting.length === 0) return;
    try {
      fs.writeSync(descriptor, takeWaiting());
    } catch {
      // Nobody can be told.
    }
  };
  process.on("exit", writeRest);

  return {
    write(line) {
      if (isBroken || waitingCharacters + line.length > MAX_WAITING_CHARACTERS) {
        dropped++;
        return;
      }
      waiting.push(line);
      waitingCharacters += line.length;
      if (isScheduled || writing) return;
      isScheduled = true;
      setImmediate(flush);
    },
    get dropped() {
      return dropped;
    },
    async close() {
      const finished = new AbortController();
      const timeout = clock.sleep(MAX_CLOSE_MS, finished.signal).catch(() => {});
      const written = (async () => {
        for (flush(); writing && !finished.signal.aborted; ) await writing;
      })();
      await Promise.race([written, timeout]);
      finished.abort();
      writeRest();
      process.off("exit", writeRest);
    },
  };
}

function writeSome(descriptor: number, bytes: Buffer, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.write(descriptor, bytes, offset, bytes.length - offset, null, (error, written) =>
      error ? reject(error) : resolve(written),
    );
  });
}
