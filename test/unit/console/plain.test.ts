// Markdown as it is shown in results of a search.

import { expect, test } from "bun:test";
import { withoutMarkup } from "../../../src/console/text/plain.ts";

test.each([
  ["**[DAC](https://dac.example/a_b_c)** is *good*", "DAC is good"],
  ["![A buoy](buoy.png) and [the log][1]", "A buoy and [the log][1]"],
  ["## Tides\n\n- [ ] low\n- [x] high\n> said", "Tides low high said"],
  ["| Day | Height |\n|---|:--|\n| Mon | 3 m |", "Day | Height Mon | 3 m"],
  ["the [cut link](https://very.long.exam", "the cut link"],
  ["Run `npm start` with <b>care</b>", "Run npm start with care"],
  ["snake_case_name and 2 * 3 * 4 and a*b*c", "snake_case_name and 2 * 3 * 4 and a*b*c"],
  ["\\*not emphasis\\*", "*not emphasis*"],
  ["1. first\n2. second", "first second"],
  ["a < b and c > d", "a < b and c > d"],
])("%j reads %j", (markdown, plain) => expect(withoutMarkup(markdown)).toBe(plain));

test("long texts are cut", () => expect(withoutMarkup("[".repeat(100_000))).toHaveLength(2_000));
