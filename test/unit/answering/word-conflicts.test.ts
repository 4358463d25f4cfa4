// Conflicts in words rather than amounts: how often, which colour, which door, who is told; with the shipped weights.

import { expect, test } from "bun:test";
import { contradict } from "./ask.ts";

test.each([
  [
    "How often are the bearings oiled?",
    "The bearings are oiled every week, on Thursday mornings.",
    "| Task | How often |\n|---|---|\n| oil the bearings | monthly |",
  ],
  [
    "How often is the stable cleaned?",
    "The stable is cleaned every Monday.",
    "Stable: cleaned every two weeks.",
  ],
  [
    "Do we count the money before or after closing?",
    "The money is counted before closing, so that late guests can still be served.",
    "Count the money after closing, never while there are people in the hall.",
  ],
  [
    "Are beets washed before or after storing?",
    "Beets are washed after harvest, before storing them.",
    "Beets are washed after storing.",
  ],
  [
    "Do I have to come to the harvest day?",
    "The harvest day is obligatory for every member.",
    "Coming to the harvest day is voluntary.",
  ],
  ["Do I have to wear a helmet?", "Everybody must wear a helmet.", "Wearing a helmet is recommended."],
  [
    "What discount do volunteers get in the shop?",
    "Volunteers get 10 % off in the shop.",
    "Volunteers: 20 % on everything in the shop except books.",
  ],
  [
    "Which entrance should I take with my class?",
    "Classes come in through the Foundry Street entrance.",
    "Classes enter by the Mill Lane gate, not at the Foundry Street entrance.",
  ],
  [
    "Who do I call when goats are on the road?",
    "When goats are on the road, call 0655 014 220.",
    "With goats on the road, call the police on 112.",
  ],
  [
    "At what time do I water the cucumbers?",
    "Water the cucumbers in the morning.",
    "Cucumbers are watered in the evening.",
  ],
  [
    "What colour is the lanyard?",
    "The lanyard is green.",
    "The lanyard is orange instead of green, because green was mistaken.",
  ],
  [
    "I cannot come. Who do I have to let know?",
    "If you cannot come, inform the duty manager.",
    "If you cannot come, tell the secretary.",
  ],
  [
    "Which form do I fill in for a loan?",
    "Fill in the yellow form ILL-3 for a loan.",
    "A loan needs the white form R7.",
  ],
  [
    "Who has to be informed after an alarm?",
    "After an alarm, inform the property office.",
    "After an alarm, the shift informs Ruth Okafor.",
  ],
  [
    "Do I have to wear a vest on board?",
    "On board wearing a vest is optional unless the skipper asks for it.",
    "On board everybody must wear a vest.",
  ],
  [
    "Do I have to wear a helmet on the stage?",
    "Wearing a helmet on the stage is compulsory for everybody.",
    "On the stage helmets are recommended but not required.",
  ],
  ["Where is the exam?", "The exam is in room 204 on the second floor.", "The exam takes place in room 310."],
  [
    "How often are the smoke detectors tested?",
    "The smoke detectors are tested twice a year.",
    "Smoke detectors are tested annually, in January.",
  ],
  [
    "Whom do I tell if I am ill?",
    "Employees who are ill call their line manager.",
    "If you are ill, inform the office.",
  ],
])("a conflict: %s %s %s", async (question, a, b) =>
  expect((await contradict(question, a, b)).length).toBe(1),
);

test.each([
  [
    "How often does the board meet?",
    "The board meets once a month.",
    "The board meets monthly, in the office.",
  ],
  ["How often is the hall cleaned?", "The hall is cleaned every Monday.", "The hall is cleaned weekly."],
  ["Do I have to sign the list?", "You have to sign the list.", "Signing the list is compulsory."],
  [
    "Do I have to come to the harvest day?",
    "Coming to the harvest day is voluntary.",
    "Members are not insured on the harvest day.",
  ],
  [
    "At what time does the shop open?",
    "The shop opens at 9:00, except on Sundays.",
    "On Sundays the shop opens at 11:00.",
  ],
  [
    "Where do we keep the seeds?",
    "The seeds are kept in the tin box.",
    "Of each sort we keep at least sixty seeds.",
  ],
  ["At what time does the shop open?", "The shop opens at 9:00.", "On weekdays the shop opens at 8:00."],
  [
    "At what time is the gate locked?",
    "The gate is locked at 20:00 unless there is a concert.",
    "After a concert the gate is locked at 23:00.",
  ],
  ["Who is told after an alarm?", "After an alarm, tell Ruth Okafor.", "After an alarm, inform Ms Okafor."],
  [
    "How often is the hall cleaned?",
    "The main hall is cleaned every Monday morning.",
    "The kitchen next to the hall is cleaned daily.",
  ],
  [
    "Is the safety course mandatory?",
    "The safety course is mandatory for all laboratory staff.",
    "Office staff may attend the safety course on a voluntary basis.",
  ],
  [
    "Are dogs allowed in the garden?",
    "Dogs are not allowed in the garden, with the exception of guide dogs.",
    "Guide dogs are welcome in the garden.",
  ],
  [
    "Are dogs allowed on the beach?",
    "Dogs are allowed on the beach from October to April.",
    "From May to September dogs are not permitted on the beach.",
  ],
  [
    "How many days of leave do I get?",
    "Employees get 28 days of leave.",
    "Employees with long service get two extra days of leave.",
  ],
])("no conflict: %s %s %s", async (question, a, b) => expect(await contradict(question, a, b)).toEqual([]));

test("two statements of hundreds of values can be compared", async () => {
  const prices = (from: number) => Array.from({ length: 200 }, (_, i) => `€${from + i}`).join(" ");
  // Comparing each value with each in nested loops took more than half a minute.
  expect(
    (await contradict("What does the hall cost?", `The hall: ${prices(100)}`, `The hall: ${prices(400)}`))
      .length,
  ).toBeLessThan(2);
});
