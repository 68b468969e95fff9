"""From the sources to trained weights: vocabulary, texts, topics of the whole encoder, fine-tuning. Leaves a checkpoint after
every epoch."""
import pickle
from pathlib import Path

import numpy as np

import quality
from bert import states_of, weights_from
from labels import HERE, settled
from patterns import labelled, training_rows
from pieces import kept, softened, Tokenizer
from train import TARGET_TOKENS, TARGETS, Texts, train
from turns import turns

LAYERS, WHOLE, SHIPPED, CYCLES = 6, 12, 31600, 2
PATTERN_FILLINGS, MADE_WEIGHT, MORE_WEIGHT = 2, 0.5, 1.0


def vocabulary_of(pieces: list[str], scores: np.ndarray, texts: list[str]) -> tuple[np.ndarray, list[list]]:
    """Ids of the pieces that are kept, and [piece, log probability] of each."""
    words = (HERE / 'data' / 'words.txt').read_text().split()
    chosen = kept(pieces, scores, words, texts)
    return chosen, [[pieces[i], round(float(scores[i]), 4)] for i in chosen]


def made_texts() -> list[dict]:
    """Training texts beside the labelled set: fillings of patterns and turns, and single lines."""
    fillings: dict[int, list] = {}
    for row in training_rows():
        fillings.setdefault(row.group, []).append(row)
    patterns = [row for group in fillings.values() for row in group[:PATTERN_FILLINGS]]
    as_text = lambda row, weight: {'text': row.text, 'sentiment': row.sentiment, 'importance': row.importance, 'weight': weight}
    return ([{**turn, 'importance': -1, 'weight': MADE_WEIGHT} for turn in turns()]
            + [as_text(row, MADE_WEIGHT) for row in patterns] + [as_text(row, MORE_WEIGHT) for row in labelled('more.txt')])


def topics_of(pieces: list[str], scores: np.ndarray, tensors: dict, texts: list[str], file: Path) -> np.ndarray:
    """Directions of the whole encoder's sentence vectors, without what all texts have in common; kept in a file, for it takes
    minutes."""
    if not file.exists():
        tokenizer = Tokenizer(list(zip(pieces, scores.tolist())))
        ask = tokenizer.encode('query:')[1:-1]
        ids = [[0, *ask, *tokenizer.encode(text)[1:]][:128] for text in texts]
        weights = weights_from(tensors, np.arange(len(pieces)), WHOLE)
        np.save(file, unit(np.array([states.mean(0) for states in states_of(weights, ids)])))
    found = np.load(file)
    return unit(found - found.mean(0)).astype(np.float32)


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def texts_from(rows: list[dict], made: list[dict], topics: np.ndarray, tokenizer: Tokenizer, numbers: dict[str, int]) -> Texts:
    every = rows + made
    targets, signs = np.zeros((len(every), TARGETS), np.int32), np.zeros((len(every), TARGETS), np.float32)
    for i, row in enumerate(rows):
        for k, target in enumerate(row['targets']):
            targets[i, k], signs[i, k] = numbers[target['target']], target['sign']
    return Texts(
        ids=[tokenizer.encode(softened(row['text'])) for row in every], sentiment=np.array([row['sentiment'] for row in every]),
        importance=np.array([row['importance'] for row in every], np.float32),
        weight=np.array([row.get('weight', 1) for row in every], np.float32), targets=targets, signs=signs,
        topic=np.concatenate([topics, np.zeros((len(made), topics.shape[1]), np.float32)]))


def learn(source: tuple, work: Path) -> dict:
    """source: pieces, scores and tensors of the encoder. Gives weights, heads and vocabulary, and what dev said to them."""
    pieces, scores, tensors = source
    rows = settled()
    train_rows = [row for row in rows if row['part'] == 'train']
    chosen, vocabulary = vocabulary_of(pieces, scores, [softened(row['text']) for row in train_rows])
    tokenizer = Tokenizer(vocabulary)
    names = sorted({target['target'] for row in train_rows for target in row['targets']})
    numbers = {name: i for i, name in enumerate(names)}
    topics = topics_of(*source, [softened(row['text']) for row in train_rows], work / 'topics.npy')
    texts = texts_from(train_rows, made_texts(), topics, tokenizer, numbers)

    def checkpoint(name: str, weights: dict, heads: dict) -> None:
        measured = quality.quality([row for row in rows if row['part'] == 'dev'], weights, heads, tokenizer)
        print(f'{name}: {measured}', flush=True)
        found.update({'weights': weights, 'heads': heads, 'dev': measured})
        (work / 'trained.pickle').write_bytes(pickle.dumps(found))

    found = {'vocabulary': vocabulary, 'names': names, 'weights': weights_from(tensors, chosen, LAYERS), 'heads': None}
    ids = [tokenizer.encode(name, TARGET_TOKENS) for name in names]
    for cycle in range(CYCLES):
        train(found['weights'], found['heads'], texts, ids, cycle,
              lambda epoch, *made: checkpoint(f'cycle {cycle + 1}, epoch {epoch + 1}', *made))
    return found


def slimmed(found: dict) -> dict:
    """Without the rarest pieces that no training text needs: the file has to stay small, and their texts are cut into shorter ones."""
    vocabulary, tokenizer = found['vocabulary'], Tokenizer(found['vocabulary'])
    texts = [row['text'] for row in settled() if row['part'] == 'train'] + [row['text'] for row in made_texts()]
    needed = {0, 1, 2, 3} | {i for text in texts for i in tokenizer.encode(softened(text))}
    needed |= {i for i, (piece, _) in enumerate(vocabulary) if len(piece) == 1}
    rarest = sorted((i for i in range(len(vocabulary)) if i not in needed), key=lambda i: (vocabulary[i][1], i))
    gone = set(rarest[:max(0, len(vocabulary) - SHIPPED)])
    stay = [i for i in range(len(vocabulary)) if i not in gone]
    weights = {**found['weights'], 'pieces': found['weights']['pieces'][stay]}
    return {**found, 'weights': weights, 'vocabulary': [vocabulary[i] for i in stay]}


def topic_texts(rows: list[dict]) -> list[str]:
    """English texts that the topics are fitted on: training texts, names of targets and words, for profiles are made of these."""
    words = (HERE / 'data' / 'words.txt').read_text().split()
    names = sorted({target['target'] for row in rows for target in row['targets']})
    return ([row['text'] for row in rows if row['lang'] == 'en'] + [row['text'] for row in made_texts() if row['text'].isascii()]
            + names + words[200:8000:4])
