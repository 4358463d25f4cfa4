// Converts MathML to TeX.

import { MathMLToLaTeX } from "mathml-to-latex";

/** Longer MathML is not converted: the library copies texts that grow. */
const MAX_UNITS = 100_000;

/** The TeX of a <math> element, on one line; "" if it cannot be converted or has no characters. */
export function texOf(mathml: string): string {
  if (mathml.length > MAX_UNITS) return "";
  try {
    return MathMLToLaTeX.convert(mathml).replace(/\s+/g, " ").trim();
  } catch {
    return "";
  }
}
