// The compact unigram tokenizer returns the ids of transformers.js, for the vocabulary of the multilingual model.

import { expect, test } from "bun:test";
import { assetPath } from "../../../src/base/assets.ts";
import { loadAutoTokenizer, loadRuntime } from "../../../src/engine/inference/runtime.ts";
import { loadTokenizer } from "../../../src/engine/inference/tokenizer.ts";

const MODEL = assetPath("models/multilingual-e5-small");

/** Sentences about the same in 24 languages. */
const SENTENCES = [
  "Everyone has the right to rest and leisure, including reasonable limitation of working hours.",
  "Jeder hat das Recht auf Erholung und Freizeit sowie auf eine vernünftige Begrenzung der Arbeitszeit.",
  "Toda persona tiene derecho al descanso, al disfrute del tiempo libre y a vacaciones periódicas pagadas.",
  "Toute personne a droit au repos et aux loisirs et notamment à une limitation raisonnable de la durée du travail.",
  "Ogni individuo ha diritto al riposo ed allo svago, comprendendo in ciò una ragionevole limitazione delle ore.",
  "Toda a pessoa tem direito ao repouso e aos lazeres, especialmente a uma limitação razoável do trabalho.",
  "Een ieder heeft recht op rust en op eigen vrije tijd, met inbegrip van een redelijke beperking.",
  "Każda osoba ma prawo do urlopu i wypoczynku, włączając w to rozsądne ograniczenie godzin pracy.",
  "Каждый человек имеет право на отдых и досуг, включая право на разумное ограничение рабочего дня.",
  "Кожна людина має право на відпочинок і дозвілля, включаючи право на розумне обмеження робочого дня.",
  "人人有享有休息和闲暇的权利，包括工作时间有合理限制和定期给薪休假的权利。",
  "すべて人は、労働時間の合理的な制限及び定期的な有給休暇を含む休息及び余暇をもつ権利を有する。",
  "모든 사람은 노동시간의 합리적 제한과 정기적인 유급휴가를 포함하여 휴식과 여가의 권리를 가진다.",
  "لكل شخص الحق في الراحة، أو في أوقات الفراغ، ولاسيما في تحديد معقول لساعات العمل.",
  "כל אדם זכאי למנוחה ולפנאי, לרבות הגבלה סבירה של שעות העבודה וחופשות בשכר.",
  "प्रत्येक व्यक्ति को विश्राम और अवकाश का अधिकार है। इसके अन्तर्गत काम के घंटों की उचित हदबन्दी है।",
  "ทุกคนมีสิทธิในการพักผ่อนและเวลาว่าง รวมทั้งจำกัดเวลาทำงานตามสมควร",
  "Herkesin dinlenmeye, eğlenmeye, özellikle çalışma süresinin makul ölçüde sınırlandırılmasına hakkı vardır.",
  "Ai cũng có quyền nghỉ ngơi và giải trí, được hưởng quy chế giới hạn hợp lý số giờ làm việc.",
  "Καθένας έχει το δικαίωμα στην ανάπαυση, σε ελεύθερο χρόνο, και ιδιαίτερα σε λογικό περιορισμό.",
  "Orice persoană are dreptul la odihnă și recreație, inclusiv la o limitare rezonabilă a zilei de muncă.",
  "Mindenkinek joga van a pihenéshez és a szabadidőhöz, beleértve a munka időtartamának korlátozását.",
  "Jokaisella on oikeus lepoon ja vapaa-aikaan, työajan järkevään rajoittamiseen sekä palkalliseen lomaan.",
  "প্রত্যেকেরই বিশ্রাম ও অবসরের অধিকার রয়েছে; নিয়মিত সময়ের ব্যবধানে বেতনসহ ছুটি।",
];

const ODD = [
  "",
  " ",
  "  a  b\t\tc\n\nd ",
  "\u0000\u0007x\u200b\u00ad\u202fy",
  "～ｈａｌｆ ﬁ①½ 𝕏² Ångström a\u0301",
  "😀😀 👨‍👩‍👧 \u{20000}\u{2A6D6} 𓀀𓀁",
  "lone \uD800 surrogate\uDC00",
  "▁marked ▁ ▁▁",
  "x".repeat(300),
  'E1009 v0.2.0 https://example.org/a?b=c#d {"key": [1, 2.5e-3]}',
  "لكـــل ـــ ٠١٢٣",
];

test("the ids are those of transformers.js in 24 languages and for odd characters", async () => {
  await loadRuntime({ kind: "native" });
  const other = await loadAutoTokenizer(MODEL);
  const own = await loadTokenizer(MODEL);
  expect(own.tables).toBeDefined();
  const texts = [...ODD, ...SENTENCES];
  for (const [i, sentence] of SENTENCES.entries()) {
    const units = [...sentence];
    // Every beginning and end, and neighbours in different scripts without a space between them.
    for (let cut = 1; cut < units.length; cut += 3)
      texts.push(
        units.slice(cut).join(""),
        units.slice(0, cut).join("") + SENTENCES[(i + cut) % SENTENCES.length]!,
      );
    texts.push(sentence.toUpperCase(), sentence.normalize("NFD"));
  }
  expect(texts.length).toBeGreaterThan(1_000);
  for (const text of texts)
    expect({ text, ids: own.encode(text) }).toEqual({
      text,
      ids: other.encode(text, { add_special_tokens: false }),
    });
  expect([...own.before, ...own.after]).toEqual(other.encode(""));
});

test("names of special tokens in a text are text", async () => {
  const { encode, before, after } = await loadTokenizer(MODEL);
  const ids = encode("a </s> b <mask> <s>");
  for (const special of [...before, ...after, 250_001]) expect(ids).not.toContain(special);
});

test("another thread's tables make the same tokenizer, without copying them", async () => {
  const { tables } = await loadTokenizer(MODEL);
  const copy = structuredClone(tables!);
  expect(copy.slots.buffer).toBeInstanceOf(SharedArrayBuffer);
  const again = await loadTokenizer("/nowhere", copy);
  expect(again.encode(SENTENCES[0]!)).toEqual((await loadTokenizer(MODEL)).encode(SENTENCES[0]!));
});
