"""Trains a teacher from the encoder, a student from teachers, or either further. Every epoch leaves a checkpoint; the same command goes on from it.

    python train.py teacher --work FOLDER --out FILE [--texts FOLDER] [--layers 12] [--epochs 8] ...
    python train.py student --work FOLDER --out FILE --teachers FILE ... [--layers 6] [--inner 1536] [--first] ...
    python train.py teacher --work FOLDER --out FILE --teachers FILE ...    a trained file goes on with the labels alone

Prints after every epoch how the dev part is read; chooses nothing itself."""
import argparse
import pickle
from dataclasses import fields
from pathlib import Path

import numpy as np
import torch

import e5
import extra
import ingredients
import losses
import quality
import student
from bert import weights_from
from fit import epochs_done, fit, Settings
from heads import first_heads
from labels import settled
from learn import Material, material, slimmed
from losses import Model, of_labels, of_teacher, of_two_passes, TAUGHT
from pieces import Tokenizer
from texts import KINDS, names_in, TARGET_TOKENS, texts_from, unlabelled

WHOLE = 12


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument('kind', choices=['teacher', 'student'])
    add = parser.add_argument
    add('--work', type=Path, required=True, help='folder of the encoder and of what is computed once')
    add('--out', type=Path, required=True)
    add('--texts', type=Path, default=extra.FOLDER, help='folder of the texts for training only')
    add('--teachers', type=Path, nargs='+', help='files of trained teachers with the same vocabulary')
    add('--layers', type=int, help='12 for a teacher, 6 for a student')
    add('--inner', type=int, default=1536, help='inner units of a layer of the student')
    add('--first', action='store_true', help="the student begins with the teacher's first layers, not with evenly spread ones")
    add('--attention', action='store_true', help='a mean of the tokens that weighs them')
    add('--twice', type=float, default=0.0, help='weight of saying the same under two draws of what is dropped')
    add('--kinds', type=float, default=losses.WEIGHT['kinds'], help='weight of telling domain and features')
    add('--half', action='store_true', help='products in bfloat16: twice as fast where the processor has them')
    add('--threads', type=int, default=2)
    for setting in fields(Settings):
        add(f'--{setting.name}', type=setting.type, default=setting.default)
    return parser.parse_args()


def begin_teacher(asked: argparse.Namespace, source: tuple, given: Material) -> tuple:
    names = names_in(given.rows)
    if asked.teachers:
        before = pickle.loads(asked.teachers[0].read_bytes())
        weights, heads, vocabulary = before['weights'], before['heads'], before['vocabulary']
    else:
        weights, vocabulary = weights_from(source[2], given.chosen, asked.layers or WHOLE), given.vocabulary
        heads = first_heads(weights['norm'].size, len(KINDS), asked.seed, asked.attention)
    texts = texts_from(given.rows, given.topics, Tokenizer(vocabulary), names)

    def loss(model: Model, batch: dict, vectors: torch.Tensor, dropout: float) -> torch.Tensor:
        text, _ = model(batch, dropout)
        found = of_labels(model.heads, text, batch, vectors)
        if asked.twice:
            again, _ = model(batch, dropout)
            found = (found + of_labels(model.heads, again, batch, vectors)) / 2 + asked.twice * of_two_passes(model.heads, text, again)
        return found

    return weights, heads, vocabulary, texts, names, loss


def begin_student(asked: argparse.Namespace, given: Material) -> tuple:
    teachers = [pickle.loads(file.read_bytes()) for file in asked.teachers]
    slim = slimmed({**teachers[0], 'rows': given.rows})
    tokenizer, layers = Tokenizer(slim['vocabulary']), asked.layers or WHOLE // 2
    rows = given.rows + unlabelled(given.rows)
    names = names_in(given.rows)
    topics = np.concatenate([given.topics, np.zeros((len(rows) - len(given.rows), given.topics.shape[1]), np.float32)])
    texts = texts_from(rows, topics, tokenizer, names)
    whole = Tokenizer(teachers[0]['vocabulary'])
    texts.taught, lesson = student.taught(teachers, texts_from(rows, topics, whole, names).ids, ids_of(names, whole))
    weights = student.begun(slim, layers, asked.inner, asked.first, texts.ids[:len(given.rows)])

    def loss(model: Model, batch: dict, vectors: torch.Tensor, dropout: float) -> torch.Tensor:
        text, _ = model(batch, dropout)
        taught = of_teacher(model.heads, text, batch, vectors, lesson)
        return taught + TAUGHT['labels'] * of_labels(model.heads, text, batch, vectors)

    return weights, teachers[0]['heads'], slim['vocabulary'], texts, names, loss


def ids_of(names: list[str], tokenizer: Tokenizer) -> list[list[int]]:
    return [tokenizer.encode(name, TARGET_TOKENS) for name in names]


def main() -> None:
    asked = options()
    settings = Settings(**{setting.name: getattr(asked, setting.name) for setting in fields(Settings)})
    if epochs_done(asked.out.with_suffix('.part')) >= settings.epochs:
        return
    torch.set_num_threads(asked.threads)
    losses.WEIGHT['kinds'] = asked.kinds
    Model.half = asked.half
    source = e5.read(ingredients.fetched(asked.work, ingredients.ENCODER))
    given = material(source, asked.work, asked.texts)
    print(f'{len(given.rows)} labelled texts, {len(given.vocabulary)} pieces', flush=True)
    of_teachers = asked.kind == 'student'
    begun = begin_student(asked, given) if of_teachers else begin_teacher(asked, source, given)
    weights, heads, vocabulary, texts, names, loss = begun
    tokenizer, dev = Tokenizer(vocabulary), [row for row in settled() if row['part'] == 'dev']
    print(f'{len(texts.ids)} texts, {sum(map(len, texts.ids))} tokens, {len(names)} names of targets', flush=True)

    def after_epoch(epoch: int, model: Model) -> None:
        found = model.arrays()
        measured = quality.quality(dev, found['weights'], found['heads'], tokenizer)
        plain = quality.quality(extra.exam_rows(), found['weights'], found['heads'], tokenizer)
        kinds = quality.quality(extra.kinds_rows(), found['weights'], found['heads'], tokenizer)
        print(f'epoch {epoch + 1}, dev: {measured}\n  plain speech: {plain}\n  kinds: {kinds}', flush=True)
        kept = {**found, 'vocabulary': vocabulary, 'names': names, 'dev': measured, 'rows': given.rows}
        asked.out.write_bytes(pickle.dumps(kept))

    fit(Model(weights, heads), texts, ids_of(names, tokenizer), loss, settings, asked.out.with_suffix('.part'), after_epoch)


if __name__ == '__main__':
    main()
