// Whether texts of many fields state what questions ask for.

import { expect, test } from "bun:test";
import { statedBy } from "../../../src/engine/language/stated.ts";
import { typeOf } from "../../../src/engine/language/type-of-question.ts";
import { valuesOf } from "../../../src/engine/language/values.ts";

/** The type and a question, then texts that state what it asks for (`+`) or do not (`-`); `#` begins the row of a table. */
const QUESTIONS = `
who: Who may enter the cold store?
+ Only Olga may enter it. | Staff of the dairy have access. | Access is reserved for holders of a green badge. | Anyone who has passed the course may go in. | #Area: cold store; Access for: Olga Brandt
- The cold store is kept at 4 °C. | The door must be closed at once.
who: Who is allowed to drive the forklift?
+ Only trained people drive it. | Those with a licence of class B. | You may drive it if you hold a licence. | The forklift is driven by the shift leader.
- The forklift weighs 3 tonnes. | It is parked behind the hall.
who: Who is responsible for the beehives?
+ Marta Kowalski is responsible for the beehives. | #Task: Beehives; Responsible: Marta | #Task: Beehives; Who: Jan | The beehives are looked after by Jan. | Beehives: Jan Novak
- The beehives stand behind the barn. | Responsible handling of bees matters.
who: Which company services the boiler?
+ The boiler is serviced by Hartmann Heating. | Every year the firm Brinkhoff checks it.
- The boiler is serviced every year. | The boiler was new in 2019.
who: Which teacher leads the choir?
+ Ms Okafor leads the choir. | The choir is led by Adaeze Okafor.
- The choir sings in May.
who: Who takes over when the nurse is away?
+ The deputy takes over. | In that case the receptionist does it.
- When the nurse is away, the room is locked.
who: What is the name of the dentist?
+ Dr. Ahlers is our dentist. | Our dentist, Lena Ahlers, works here.
who: Who wrote the manual?
+ The manual was written by Lena Ahlers. | Author: L. Ahlers
- The manual was written in 2019.
who: Who looks after the server room?
+ Responsible: Tomasz Wilk | Contact: the IT department | Our two technicians take turns. | Ines Pacheco (until March: Jan Novak) | Ines and Jan look after it.
- Care of the server room: see chapter 4. | It is looked after every week. | Look after your belongings.
who: Who feeds the hens?
+ Marta feeds the hens. | Joost de Wit feeds the hens. | Marta and Jan feed the hens.
- Hens are fed at 7:00. | Feed the hens at 7:00. | The hens feed on corn.
who: Who is responsible for the shed?
+ Marta is responsible for the shed. | Joost de Wit is responsible for it.
- The shed is 4 m long.
who: Who gets a discount?
+ Students get 10 % off. | Families with three or more children pay half. | Anyone over 65 pays less. | Holders of the town pass | Only members of the club do.
- The discount is 10 %. | There is a discount on Mondays.
who: To whom do I report an accident?
+ Report it to the safety officer. | Tell your supervisor. | The safety officer, within a day.
- Report it at once. | Report it in writing.
duration: How long may I keep the tools?
+ You may keep them for up to ten working days. | Tools can be kept for a fortnight. | They are lent for three school weeks. | Bring them back after 48 hours. | Until the end of the month. | #Item: Tools; Loan period: 2 weeks
- Tools are lent on Mondays. | The first tool is free. | Tools were bought on 3 May 2024.
duration: How long does the dough rest?
+ Let it rest for half an hour. | overnight | #Step: Rest; Minutes: 45
- The dough weighs 800 g.
duration: How soon must I report the damage?
+ Report it within two days. | Immediately.
- Report it to the office.
duration: How much time do I have for the test?
+ You have 90 minutes.
- The test costs 90 euros.
duration: How long do I have to wait after the vaccination?
+ Wait a quarter of an hour. | Stay for 15 min. | Fifteen minutes. | Three to five days.
- Wait in the hall.
where: In which town is the depot?
+ The depot is in Leeds. | #Depot: North; Town: Leeds; Phone: 0113 496 0177 | Our depot in Brackwell is open daily.
- The depot opens at 7. | The depot has been renewed in May.
where: On which rack is the canoe?
+ The canoe lies on rack B2. | #Boat: canoe; Rack: B2; Weight: 20 kg
- The canoe weighs 20 kg.
where: Where is the first-aid kit?
+ It hangs next to the sink. | The first-aid kit is in the kitchen. | You find it at reception. | #Item: First-aid kit; Where: hall, left of the door | Under the stairs.
- Jonas is responsible for the first-aid kit. | The first-aid kit is checked in March. | The first-aid kit was replaced at once.
where: Where do I register?
+ Register at the front desk. | Use the form on our website. | In Town Hall, room 12.
- Register in advance. | Register in writing by Friday.
where: Which floor is the lab on?
+ The lab is on the third floor. | #Room: lab; Floor: 3
where: Where is the meeting?
+ We meet at the town hall. | Place: Hotel Lipa | Meeting point is the bus stop in Mill Lane. | online, on the portal | Venue: St Bride's Church | in the church
- The meeting is on 4 May. | In the meeting, Anna spoke. | The meeting is chaired by Ann.
where: Where are the backups stored?
+ in /var/backups | Backups go to the server in Malmö. | On an encrypted disk. | s3://bucket/backups | \`C:\\Backups\`
- Backups are stored for 30 days.
where: In which room does the exam take place?
+ Room 4 | The exam is held in the sports hall. | Room: 2.18
- The exam takes place in May.
contact: What's the number I have to ring in an emergency?
+ Ring 0800 55 12 34. | The emergency number is 112. | Dial extension 4444.
- Ring the bell three times. | In an emergency leave the house. | There are 12 emergency exits.
contact: Which internal number do I call for IT?
+ IT: extension 230 | For IT problems, dial 4711.
- IT is on the second floor.
contact: What is the phone number of the vet?
+ Tel. 0113 496 0177 | Phone: +44 1632 960 120 | Vet: 0800-1234567 | (01632) 960171 | Call 112.
- The vet phones you back. | The vet treats 20 animals a day.
age: How old must one be to rent a car?
+ You must be at least 21. | Renters have to be 21 years old. | Drivers under 25 pay more. | #Car: van; Minimum age: 23 | From 18 years of age.
- The cars are three years old. | It costs 21 euros. | You need 2 documents.
age: At what age do children pay?
+ Children from 6 years pay.
age: From what age may children come alone?
+ from 8 years | Children under 8 need a companion. | A child of 8 or older may come alone. | Minimum age: 8
- Children pay half. | Children may come at 8:00.
count: How many litres does the tank hold?
+ The tank holds 120 litres. | #Tank: A; Volume (l): 120 | Its volume is 90 l.
- The tank weighs 40 kg. | There are 3 tanks.
count: How many pixels does the sensor have?
+ The sensor has 24 million pixels. | #Sensor: S1; Pixels: 2048 × 2048
- The sensor costs 200 euros. | The sensor works for 3 years. | There are two sensors.
count: How many beds does the hostel have?
+ It has 48 beds. | There are forty-eight beds in 12 rooms. | #House: hostel; Beds: 48
- It has 12 rooms. | The beds cost 20 euros.
count: How many people work in the kitchen?
+ Four cooks work there. | There are 6 employees. | Six people work in the kitchen.
- The kitchen has four ovens. | They work 8 hours a day.
count: How many photos must I send?
+ Three photos are needed. | Send two clear photos.
- Send photos within 3 days.
count: What is the maximum number of guests?
+ Up to 30 guests are admitted. | #Room: hall; Guests: 30
- Guests pay 30 euros.
count: How many votes does a member have?
+ Each member has one vote. | two votes | Votes per member: 3
- There are 300 members. | A member votes for 3 years.
count: How many eggs do I need?
+ 4 eggs | two large eggs | Eggs: 3
- 500 g flour | Bake for 30 minutes.
count: How many books can I borrow at once?
+ You can borrow six books.
- Books are lent for 3 weeks. | A lost book costs 20 euros.
count: How many employees does the firm have?
+ The firm has 85 employees. | 85 people work here. | a staff of 85
- The firm has 3 sites. | Employees have 28 days of holiday.
count: How much flour do I need?
+ 500 g of flour | two cups of flour | Flour: 1.5 kg
- Flour is cheap.
count: What's the limit for attachments?
+ 25 MB | Attachments may have up to 25 MB.
- Attachments are scanned.
when: When is the market?
+ The market is every Thursday. | On the first Monday of the month. | In October. | It takes place on 4 June. | #Event: market; Day: Saturday
- You may sell fruit. | The market has 40 stalls. | Sellers pay once a year.
when: On which day is the bin emptied?
+ It is emptied on Wednesday. | Every second Friday. | #Bin: paper; Emptied: Thursday
- The bin is emptied by the town. | The bin may be blue.
when: When must I cancel?
+ Cancel at least two days before the course. | Within 14 days. | By Friday noon. | No later than a week in advance.
- Cancel in writing. | Cancelling costs 20 euros.
when: When does the nurse come?
+ She comes on Tuesdays. | The nurse comes twice, in May and in autumn.
- The nurse gives one tablet, once a day at most. | The nurse waits for 20 minutes.
when: When is the library closed?
+ It is closed on Sundays. | From 24 December to 2 January. | During the summer holidays. | Closed: Mondays | at Easter
- The library is closed for repairs by the town. | It has 14,000 books.
deadline: What is the last day to enrol?
+ Enrolment closes on 30 June. | Enrol by 1 March.
- Enrol online.
deadline: Until when are invoices accepted?
+ Invoices are accepted until 12 December. | Deadline: 12 December | Up to the last Friday of the month.
- Invoices are accepted by e-mail.
deadline: By when must I object?
+ You can object within 14 days. | by 3 May | until the end of the month | #Step: objection; Until: 3 May
- Object in writing. | Objections are free of charge.
year: In which year was the bridge built?
+ It was built in 1911. | #Bridge: North; Built: 1911
- It was built in May. | It was built by Hansen.
year: How old is the building?
+ It was built in 1911. | It is 113 years old. | Built: 1911
- The building has 3 floors.
money: What does a cappuccino cost there?
+ A cappuccino costs £2.40. | Coffee is free. | #Drink: Cappuccino; Price: 2.40 | 2.40 euros
- Coffee is served until 6 pm. | Three free slots are left. | Room 2.18 has a machine.
money: How many euros is the deposit?
+ The deposit is 50 euros. | €50
- The deposit is paid back. | There are 50 keys.
money: How much does the locker cost?
+ £12 a year plus a £5 deposit | Lockers are free of charge. | Price: 12 | 12,50 € | CHF 12.– | twelve euros | There is no charge for lockers.
- Lockers are 40 cm wide. | The locker is emptied once a year. | Feel free to ask for a locker.
money: How high is the fine?
+ A fine of up to $500 may be imposed. | Fine: 500 USD | You pay 40 euros.
- Fines are collected by the town. | High fines are possible.
identifier: Which is the bank account for the fee?
+ IBAN DE12 3456 7890 1234 5678 90 | Account number 4711223
- Pay the fee by bank transfer. | The fee is due on 3 May.
identifier: What is the order number of the filter?
+ Filter, order no. F-2207 | #Part: Filter; Order number: 77120
- The filter costs 12 euros.
identifier: What's the wifi password?
+ The password is sunny-42.
- The wifi is free.
identifier: What is the serial number of the pump?
+ Serial number: KX-2207-11 | SN 4471209 | The pump has the number P-33.
- The pump has 3 valves.
colour: What colour is the emergency button?
+ The button is red. | #Button: emergency; Colour: red
- The button is on the wall.
colour: What colour is the form?
+ Use the yellow form. | the green slip
- Use form B.
temperature: How hot does it get in the sauna?
+ It reaches 90 °C. | The sauna is heated to 85 degrees. | #Room: sauna; Temperature: 90
- The sauna costs 14 euros. | The sauna seats 12 people.
temperature: At what temperature is the vaccine stored?
+ between 2 and 8 °C | at -20°C | Store it at 5 degrees. | Storage: +4 °C
- Store it in the fridge for 3 days.
speed: What is the speed limit on the yard?
+ 10 km/h | Drive no faster than 6 mph.
- The yard is closed after 20 minutes. | There are 10 parking spaces.
frequency: How often is the filter changed?
+ Every two months. | It is changed twice a year. | #Part: filter; Interval: 2 months
- The filter is changed by Jan.
frequency: How many times may I resit the exam?
+ Twice. | You may resit it once.
frequency: How often is rent reviewed?
+ every two years | once a year | The rent is reviewed annually. | Each January | In intervals of 24 months | monthly
- The rent is reviewed by the agent.
reason: Why is the gate locked?
+ Because children play there. | It is locked so that no cars get in. | Cars would block the way. | The gate is locked to keep deer out.
- The gate is locked at 8.
reason: Why was the party cancelled?
+ It was cancelled due to the storm. | The reason is the storm. | since nobody came | There were too few helpers. | The storm had destroyed the tent, which is why it was cancelled. | Reason: storm
- The party was cancelled on Monday.
permission: May I bring a dog?
+ Dogs are not allowed. | Dogs must be on a lead. | #Room: hall; Dogs: no
- The dog is called Rex. | #Animal: dog; Fee: none
permission: May I sublet the flat?
+ Subletting requires consent. | Subletting is prohibited. | The tenant may not sublet. | You need the landlord's permission to sublet. | Subletting: not allowed
- The flat is sublet every summer.
permission: Do I have to register the dog?
+ Dogs must be registered. | Registration is compulsory. | You do not need to register it. | Registering is voluntary. | #Animal: dog; Registration required: from 3 months
- The dog is brown. | Registration takes a day.
permission: Is it possible to pay in two parts?
+ You can pay in two parts. | Two instalments are possible. | Payment in parts is not possible.
- The price is 40 euros.
what-if: What happens if I come late?
+ Whoever comes late waits outside. | If you are late, you lose your seat. | Latecomers pay 5 euros.
what-if: What if the battery is empty?
+ When the battery is empty, plug it in. | In that case the clock stops.
definition: What is an exeat?
+ An exeat is a free weekend. | Exeat: a free weekend | Exeat – a free weekend at home. | #Word: exeat; Meaning: a free weekend
- On an exeat, the house is closed. | The house is closed.
definition: What does EOL mean?
+ EOL: end of life | EOL stands for end of life. | EOL (end of life) is the day on which support ends. | EOL = end of life
- Version 3 is EOL. | Support ends after EOL.
how-to: How do I descale the kettle?
+ Fill it with vinegar and boil it. | Boil vinegar in it. | You can use citric acid. | Pour vinegar into it. | First, unplug it. | Leave it for an hour.
- The kettle holds 2 litres. | Scale forms quickly.
how-to: How do I apply for a permit?
+ Apply online. | Fill in form B and bring it to the desk. | To apply, send us a letter.
- The permit costs 20 euros.
statement: Which bus goes to the clinic?
+ #Bus: 12; To: clinic
length: How thick is the ice?
+ The ice is 20 cm thick.
- It costs 20 euros. | Wait 20 minutes. | There are 20 skaters.
height or amount: How far is the beach?
+ It is 2 km away. | Ten minutes on foot.
weight: How much does the parcel weigh?
+ It weighs 3 kg. | #Parcel: S; Weight (kg): 3
- It costs 3 euros.
weight: What is the maximum load of the lift?
+ 630 kg | The lift carries eight persons or 630 kg. | Load: 630 kg
- The lift was built in 2019. | The lift is loaded from the front.
time: What time does breakfast start?
+ Breakfast starts at 7 am. | From 7:30 to 10:00. | #Meal: Breakfast; Begins: 7:30
- Breakfast takes 45 minutes. | Breakfast costs 9 euros.
percentage: What percentage of members voted?
+ 62 % of the members voted. | #Year: 2024; Voted: 62 %
- There are 300 members.
percentage: What percentage of the fee is refunded?
+ 60 % of the fee is refunded. | half of it | #Notice: 2 weeks; Refund: 25 %
- The fee is refunded by transfer. | Refunds take 3 weeks.
length or duration: How long is the guarantee?
+ 24 months | The guarantee is two years. | Guarantee: 2 years | You have a guarantee of a year and a half.
- The guarantee covers parts. | The guarantee card is in the box.
address: What is the e-mail address of the office?
+ office@farm.example | Write to office@farm.example.
- 0113 496 0177
size: How big is the flat?
+ The flat has 63 square metres. | 63 m² | Size: 63 sqm
- The flat costs 900 euros. | The flat is on the second floor.
sound: How loud is the fan?
+ 60 dB | The fan makes 45 decibels.
- The fan costs 45 euros. | 60 fans were sold.
pressure: What is the tyre pressure?
+ 2.5 bar | #Tyre: front; Pressure: 2.5
- The tyres are changed in April.
condition: Under what conditions can I sublet?
+ You can sublet if the landlord agrees. | Only with consent. | provided that you pay the rent
- Many tenants sublet rooms.
`;

function shareOf(question: string, text: string): number {
  const known = new Set(valuesOf(question).map(({ sort, key }) => `${sort} ${key}`));
  const plain = text.replace(/^#/, "");
  const cells = plain.split("; ").map((cell) => {
    const [header = "", ...value] = cell.split(": ");
    return { header, value: value.join(": ") };
  });
  const values = valuesOf(plain).filter(({ sort, key }) => !known.has(`${sort} ${key}`));
  return statedBy(typeOf(question), question)({ plain, values, ...(text.startsWith("#") && { cells }) });
}

test.each(
  QUESTIONS.trim()
    .split(/\n(?![+-])/)
    .map((block) => block.split("\n")),
)("%s", (asked, ...texts) => {
  const [, type = "", question = ""] = /^([^:]+): (.+)$/.exec(asked) ?? [];
  expect(typeOf(question).name).toBe(type);
  const of = (sign: string) =>
    texts.filter((line) => line.startsWith(sign)).flatMap((line) => line.slice(2).split(" | "));
  expect(of("+").filter((text) => shareOf(question, text) < 0.6)).toEqual([]);
  expect(of("-").filter((text) => shareOf(question, text) > 0.4)).toEqual([]);
});

test("a long run of quotation marks takes linear time", () => {
  const plain = "'".repeat(20_000);
  // Quadratic time would be a minute and longer.
  expect(statedBy(typeOf("What is a fee?"), "What is a fee?")({ plain, values: [] })).toBe(0);
});
