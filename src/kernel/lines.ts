// Numbers of lines in a text.

/**
 * Returns a function that gives the number of the line, from 1, of a position in UTF-16 units. Lines end with LF, CRLF
 * or CR. Ascending positions cost one pass over the text together.
 */
export function lineCounter(text: string): (position: number) => number {
  let [at, line] = [0, 1];
  return (position) => {
    if (position < at) [at, line] = [0, 1];
    for (; at < position; at++) {
      const unit = text.charCodeAt(at);
      if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) line++;
    }
    return line;
  };
}

const LF = 10;
const CR = 13;
