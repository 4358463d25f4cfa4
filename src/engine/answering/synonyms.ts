// Words of similar meaning in everyday, office and technical English, for questions that use another word than the document
// where the model's vectors do not help. Some are only related (coffee, tea). It knows no statements.

import { stem } from "./terms.ts";

const GROUPS = `
  absence absent away; accuracy precision exact tolerance; address location; administrator admin; adult grown; agree decide
  resolve; airport airfield; alcohol wine beer; algorithm method; allow enable; annual yearly year; apply request; appointment
  visit consultation; approximately about around; art painting; author writer; backup copy snapshot; bag sack; bake oven; bank
  account; bankrupt ruin insolvent; bankruptcy ruin insolvency; basement cellar; battery cell accumulator; belong part; below
  under; bike bicycle cycle; bird pet animal; bolt screw; bonus extra; book reserve; book title; boss manager supervisor
  superior chief; bottle flask; box package carton; breakfast meal; budget allowance funds; buffer store keep hold; bus coach;
  buy purchase acquire order; cable lead wire cord; calibrate adjust; call request query; cancel terminate revoke end; capacity
  hold fit room; car vehicle auto automobile; carry bring take; casing housing enclosure case shell body; castle fortress; cat
  pet animal; cause reason trigger lead; certificate note attest proof confirmation; chairman chair president; charge load;
  cheap inexpensive affordable; check verify inspect test; child kid minor; choose select pick opt; church chapel; citizen
  resident; claim request application; clause section article; clean wash wipe; club association; coach trainer manager; coffee
  tea; colour color paint shade hue; column field; command instruction call; company firm business enterprise; compress pack;
  conduct direct lead; configure set adjust; connection link line; consent approval permission agreement; consist made;
  container vessel tank tub bin; contract agreement; cook boil; cool cold chill; cost price fee charge fare rate tariff; council
  authority municipality; country state nation; course class lesson module; court judge tribunal; cover lid cap; crash fail;
  cupboard cabinet locker; current present now; customer client buyer purchaser; daily day; damage harm loss; dangerous
  hazardous risky; dark night; data information; deadline limit due; debt loan credit; decide determine; decision resolution;
  default standard preset normal; definition meaning; delete erase remove clear wipe purge; deliver ship send dispatch supply;
  delivery shipping shipment dispatch; department division unit; deposit security bail; depth deep; design create; designer
  creator; device unit appliance machine; difference differ; dinner supper evening; director manager head; dirty soiled; disable
  deactivate off; disclose reveal share; disconnect lose drop; discount reduction rebate concession; doctor physician gp medic;
  dog pet animal; door gate entrance; dough paste; download pull fetch; drawer tray; drink beverage; drive ride; driver
  chauffeur; dry arid; due planned come scheduled; dust dirt; early before; eat food meal; employee worker staff personnel
  colleague; enable activate on; encrypt cipher; encryption cipher; endpoint route; engine motor drive; enough sufficient;
  entrance entry door; error deviation; error fault failure bug defect; evacuate home; exam test examination; exceed over above;
  exit way; expense cost outlay; expensive costly dear; expire end; explain describe; export download output; extend renew
  prolong; extra additional further optional; factory default original; fail flunk; fan supporter; faulty defective broken
  damaged; ferry boat; fetch get pull retrieve; file document; film movie video; fire burn blaze; fire dismiss terminate sack;
  fix fasten mount attach install secure; fix patch solve remedy; flat apartment; flood inundation; floor storey level; folder
  directory; forbid prohibit ban; forbidden prohibited banned disallowed illegal; format type; found establish set start; free gratis complimentary; freelance contractor; fruit orange apple citrus; furniture chair table; game match; garden
  yard; gas fuel petrol; gear equipment kit; give provide; glove glasses goggles; goal score; gone lost; goods wares merchandise
  products; govern regulate; grant approve permit accept; ground stadium arena park; guest visitor; half fifty; hand give;
  harbour port; headmaster headteacher principal; heating heat; height high tall; hire employ recruit engage; holiday leave
  vacation; homework assignment; horse animal; hospital clinic surgery practice; hotel accommodation; hour time; house home
  building; household home family; illness sickness disease sick ill; import load read; include contain comprise; indoors
  inside; infant baby; ingredient component; inhabitant resident people population; injure hurt wound; inner internal inside
  middle core; install set setup; insurance cover; insurer insurance; interval period frequency; invent devise design; invoice
  bill; jab vaccine vaccination shot injection; job post position employment work; join register enrol subscribe; journey trip
  travel; key button; keyboard key; landlord landlady owner lessor; language tongue; last final latest newest; late overdue; law
  legislation statute; lead leader head; league division; leak drip; lecture lesson; leftover remaining rest; lend loan borrow;
  length long; licence license; lift elevator; light lamp indicator; lighthouse beacon; limit maximum cap most; link url; list
  overview; lock key; log journal protocol record; login signin; look watch observe; lorry truck; loss lose; luggage baggage;
  lunch noon; mail email; maintain look; mandatory compulsory obligatory required must; mark grade score; material made;
  maternity parental; maximum most highest largest up; mean definition; measure gauge reading; measurement data; measurement
  reading value; medicine drug medication pill tablet remedy; meeting session; membership subscription; mend repair fix; mileage
  kilometre; mix stir blend; mobile phone telephone; money funds cash; monthly month; move turn; museum gallery; music song;
  name call title; near close; need require necessary must; network internet; newest latest most recent; news report; next
  following; noise sound loud; notice termination cancellation; number count quantity; nurse carer; obtain get receive; office
  bureau; often frequent; oil fuel; open staffed reach; opponent rival other; option flag switch parameter setting; optional
  voluntary; outage failure downtime incident; outdoors outside; outer external outside; overtime extra; own possess;
  parallel simultaneous same; parent guardian mother father; parking park; part component piece; party side; pass succeed;
  passenger traveller rider; password passphrase passcode; path trail way; patient client; penalty fine charge; pension
  retirement; pensioner senior elderly retired; permanent forever good; permit allow authorise authorize let may; permitted
  allowed okay legal fine; phone telephone ring call; piano instrument music; picture image photo; pier jetty; place location
  site; plan schedule; player participant; plug socket outlet; points score; power electricity current energy; practise rehearse
  train; pregnancy maternity; prescription recipe; press newspaper; prevent avoid; previous earlier former prior last; private
  personal; problem trouble issue difficulty; profit gain surplus; protect guard shield; protective protection safety; provide
  supply offer; publish release issue; queue line; quickly soon fast; quiet silent; quit leave resign; quota limit; raise
  increase rise; rare seldom; rate-limit throttle; reach contact; reading data; reboot restart reset; recipe formula; recover
  rescue save; reimburse cover pay; reject refuse decline turn; remote distance afar; rename name; rent lease let; repair
  maintain service; repay reimburse refund compensate; replace change swap exchange; reply answer respond response; report
  notify inform announce; request ask demand; rescue save escape; reservation booking; reset restore factory; restore recover
  retrieve back; retry again repeat; return refund; revenue turnover sales; reward bounty prize award premium; river stream;
  road street; roof ceiling; room chamber; row line record; rule regulation policy provision; rules instruction; run execute
  launch; safe vault; salary wage pay earnings income remuneration; same identical equal; save export keep store backup;
  schedule timetable; school academy; screen display monitor; sea ocean salt; seaside coast shore beach; seat place; secret
  confidential; sell vend; sensor probe detector; separate extra; setting configuration preference; share pass hand; share
  proportion percentage percent; shelf rack; ship boat vessel; shop store; show display; shut closed; sign conclude; silent
  unresponsive offline; similar alike; size large big dimension; slice piece; smallest least minimum; smoke cigarette; smooth
  average mean; spare replacement; speed fast quick velocity; stairs staircase; start begin launch commence open; station site;
  stop end finish cease halt close; stop station halt; storage memory capacity; store keep hold stock; strike walkout; student
  pupil; submit hand file lodge; succeed follow replace; sum amount total; supplier vendor provider seller; swap exchange trade;
  switch turn; sync synchronise; tax duty levy; teacher instructor lecturer; team side squad; tell inform notify; temperature
  heat hot warm; tenant renter lessee; third-party other outside; throw discard dispose; ticket pass card; tie draw same equal;
  tighten torque; token key; tool instrument device; tour visit; town city; train rail railway; trainee apprentice intern;
  training course education; tram streetcar; treasurer books accounts; trial probation; twice second; uninstall remove; union
  association; university college; update upgrade; upload push send transfer; user member account; valid good last; vegetable
  potato tomato; version release build; village town; visit see view; vulnerability flaw hole weakness; wait take delivery; wall
  side; waste rubbish trash garbage; water liquid; website site; weekday day; weekend saturday sunday; weekly week; weight weigh
  heavy mass; wet damp moist; width wide broad; win victory; window pane; wireless radio; write compose`;

const SYNONYMS = new Map<string, Set<string>>();
for (const group of GROUPS.split(";")) {
  const stems = group.trim().split(/\s+/).map(stem);
  for (const one of stems) {
    const known = SYNONYMS.get(one) ?? new Set();
    for (const other of stems) if (other !== one) known.add(other);
    SYNONYMS.set(one, known);
  }
}

/** Whether two words, given by their stems, may mean the same in some contexts. */
export const areSynonyms = (a: string, b: string): boolean => SYNONYMS.get(a)?.has(b) ?? false;
