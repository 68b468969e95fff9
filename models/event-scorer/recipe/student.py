"""A smaller scorer from a larger one: which layers and inner units it begins with, and what the larger one says of the texts."""
import numpy as np
import torch

from bert import each, Encoder, padded
from heads import predictions
from losses import Model

SAMPLE = 64


def stood_for(layers: int, of: int) -> list[int]:
    """Numbers of the teacher's layers that the student's begin as when they are evenly spread: the last one as the last one."""
    return [round((i + 1) * of / layers) - 1 for i in range(layers)]


def begun(teacher: dict, layers: int, inner: int, first: bool, ids: list[list[int]]) -> dict:
    """Weights of the student: the teacher's first layers, or those that it stands for, each with its `inner` most useful inner
    units."""
    weights, whole = teacher['weights'], teacher['weights']['layers']
    count, width = whole['inner'].shape[0], whole['inner'].shape[2]
    chosen = list(range(layers)) if first else stood_for(layers, count)
    own = {name: values[chosen] for name, values in whole.items()}
    if inner < width:
        useful = usefulness(weights, ids)[chosen]
        stay = np.sort(np.argsort(-useful, axis=1)[:, :inner], axis=1)
        pick = lambda values, axis: np.stack([np.take(v, s, axis) for v, s in zip(values, stay)])
        own |= {'inner': pick(own['inner'], 1), 'inner_bias': pick(own['inner_bias'], 0), 'outer': pick(own['outer'], 0)}
    return {**weights, 'layers': own}


@torch.no_grad()
def usefulness(weights: dict, ids: list[list[int]]) -> np.ndarray:
    """[layers, inner]: mean size of each inner unit times the length of what it writes."""
    encoder, sizes = Encoder(weights), []
    some, mask = padded(ids[::max(1, len(ids) // SAMPLE)])
    encoder(some, mask, watch=lambda _, inner: sizes.append(inner[mask].abs().mean(0).numpy()))
    return np.array(sizes) * np.linalg.norm(weights['layers']['outer'], axis=2)


def taught(teachers: list[dict], ids: list[list[int]], names: list[list[int]]) -> tuple[dict, dict]:
    """What the teachers say on average of each text, and the lesson that goes with it (losses.of_teacher). The vectors are the first
    teacher's."""
    said = [sayings(teacher, ids) for teacher in teachers]
    quantity = [sayings(teacher, names)['quantity'] for teacher in teachers]
    average = lambda part: torch.tensor(np.mean([one[part] for one in said], 0))
    vectors = torch.tensor(said[0]['vector'])
    return ({'logits_taught': average('logits'), 'importance_taught': average('importance'), 'vector_taught': vectors,
             'course_taught': torch.tensor(np.concatenate([one['course'] for one in said], 1) / len(said))},
            {'quantity': torch.tensor(np.concatenate(quantity, 1)), 'spread': vectors.var(0).mean()})


def sayings(teacher: dict, ids: list[list[int]]) -> dict[str, np.ndarray]:
    """course and quantity: with the tone and how good a target is to have, as the graph gives them."""
    model, heads = Model(teacher['weights'], teacher['heads']), teacher['heads']
    text = np.array(each(lambda ids, mask: model({'ids': ids, 'mask': mask})[0], ids))
    logits, importance = predictions(heads, text)
    tone = logits[:, 2:] - logits[:, :1]
    return {'vector': text, 'logits': logits, 'importance': importance, 'course': np.concatenate([text @ heads['course'], tone], 1),
            'quantity': np.concatenate([text @ heads['quantity'], text @ heads['good']], 1)}
