// What questions of many fields ask for.

import { expect, test } from "bun:test";
import { typeOf } from "../../../src/engine/language/type-of-question.ts";

/** A type, then questions of it. */
const QUESTIONS = `
who: Who do I hand the keys to | By whom is the roof inspected | Whose signature is needed | Which department approves travel | What is the name of the vet | Who else may sign | To whom does the dog belong | Which supplier delivers the flour | Who of the staff speaks Polish | Do you know who feeds the cats
where: Where can I park | Where exactly is the fuse box | In which drawer are the scissors | At which gate does the bus stop | From which platform does the train leave | On what floor is the gym | Which room is the meeting in | Where from do you get the wood | In what folder do backups go
when: When can I move in | On what date does the lease end | Since when has the rule applied | Which day is the bin collected | When at the latest must I apply | When was the last inspection | On which weekday is the clinic closed | What's the earliest date for delivery
time: How late can I arrive | At what time is check-in | What time do the doors open | What are the opening hours of the pool | Until what time may we play music | From what time on is breakfast served | What are your opening times
year: In what year was the firm founded | Which year was the tower finished
duration: How long does delivery take | For how long are logs kept | How long may a guest stay | How many days off do I get | How much time do I have to answer | Within what period must I report it | How long before the flight must I be there | What is the notice period | How far in advance must I book | How soon will I get an answer | How long ahead should I order
frequency: How often must the rope be checked | How many times a week does the bus run | How frequently is the pool water tested | At what intervals is the oil changed
money: What does a month's pass cost | How much do I pay for parking | How much is a coffee | What's the entry fee for kids | How expensive is a replacement card | What are the costs of a transfer | How much are the tickets | What is the hourly rate of a plumber | What do I have to pay if I lose the key | How much does it cost per day to rent the hall | What would two nights cost us | How much rent do I pay | Which plan is the cheapest | What does the insurance cost a year | How much will I be charged
count: How many seats are there | How many guests can I bring | What is the maximum number of participants | How many pages may the report have | How many of the machines are broken
percentage: What percentage of the deposit is kept | How high is the discount for students | What share of the costs does the landlord bear
age: How old must a child be to swim alone | What is the minimum age for the course | At what age do I need a ticket | From what age can you join | How old do I have to be
weight: How heavy may my bag be | What does the bike weigh | What is the weight limit for parcels | What's the maximum weight of a parcel
length: How tall is the fence | How deep is the well | What is the height limit in the garage | How wide is the gate
size: How big is the garden | How large can an attachment be | What is the file size limit | How much memory does the server have | What is the capacity of the tank
temperature: How warm must the room be | At what temperature is milk stored | What is the highest temperature allowed | How hot should the oven be
speed: How fast may I drive on site | What is the top speed of the boat | What's the speed limit
identifier: What is the serial number of the pump | What's the wifi password | What is the account number | Which bank account do I transfer the rent to | What is the door code
colour: What colour are the bins | Which colour is the label for acids
contact: What is the phone number of the office | Which number should I call at night | Who do I call if the lift is stuck | How can I reach the caretaker | What number can I text | Under which number can I reach the office
permission: Do I need a visa | Must the dog be on a lead | Is the helmet compulsory | Isn't it possible to extend | May I smoke on the balcony | Can I bring my own food | Am I allowed to paint the walls | Is it allowed to fly drones | Are dogs permitted | Is it ok to park here | May children use the sauna | Could I be allowed to sublet | Can visitors take photos | Are we allowed to film | Is smoking allowed
yes-no: Is there a lift | Does the room have a window | Has the price changed | Will it rain | Am I insured abroad | Is breakfast included | Can the device get wet
reason: Why did the project stop | What is the reason for the delay | How come the bill is higher | For what reason was it refused | What caused the fire | Why can't I log in
how-to: How do I reset my password | How can I cancel | How to clean the filter | How is the filter replaced | What do I do when the alarm sounds | What steps are needed to register | How should I store paint | How does the booking work | What am I supposed to do in a fire | In what order do I switch it on | Which command restarts it | How would one apply | How must samples be labelled | How are samples labelled
what-if: What happens if I am late | What if it rains | What would happen if nobody signs | What will happen when the licence expires | What are the consequences of a breach
definition: What is a ledger | What does SLA mean | What is meant by force majeure | What do you mean by net weight | What is "soft opening" | What counts as an accident | What's a mulligan | What exactly is a sabbatical | Define churn | What does the abbreviation PTO stand for
list: Which documents are required | What do I need to bring | What are the ingredients | Which languages are supported | What kinds of tickets are there | List all fees | What does the package include | Which of the rooms have a balcony | What should I pack | Name the three stages
condition: Under what conditions can I cancel | On what condition is the deposit returned | What are the requirements for a loan
version: Which version of Java is needed | What firmware does the router run
deadline: Until when can I cancel | What is the deadline for objections | By when do I have to reply
height or amount: How far apart are the posts | How high may the hedge be
address: What's your e-mail address
sound: What is the noise level of the pump | How loud is the fan
pressure: What is the tyre pressure
area: What is the area of the plot
`;

const rows = QUESTIONS.trim()
  .split("\n")
  .flatMap((line) => {
    const [, type = "", questions = ""] = /^([^:]+): (.+)$/.exec(line) ?? [];
    return questions.split(" | ").map((question) => [question, type] as const);
  });

test.each(rows)("%s: %s", (question, type) => expect(typeOf(question).name).toBe(type));

test.each([
  ["Wich company made the lamp?", "who"],
  ["whats a kelim", "definition"],
  ["When exactly does the ferry leave?", "when"],
  ["I am away in May, may my sister collect the key?", "permission"],
  ["Our boiler is loud, who do I call?", "contact"],
])("%s asks for %s, however it is written", (question, type) => expect(typeOf(question).name).toBe(type));
