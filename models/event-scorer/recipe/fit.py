"""The loop of training: AdamW (Loshchilov and Hutter 2019, arXiv:1711.05101), lower layers in smaller steps, a checkpoint after every
epoch from which the same command goes on."""
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.optim import swa_utils

from bert import each
from losses import Model
from texts import Texts

WARM_UP, LONGEST_STEP, FRESH, SHOWN = 0.06, 1.0, 100, 50


@dataclass
class Settings:
    """rate: of the uppermost layer; each layer below has `decay` of the one above, the pieces `pieces` of the lowest layer's; tokens:
    in a batch; average: share that the running mean of the weights keeps at each step, 0: no mean."""
    epochs: int = 8
    tokens: int = 768
    rate: float = 1e-4
    head_rate: float = 1e-3
    decay: float = 0.9
    pieces: float = 0.5
    shrink: float = 0.01
    dropout: float = 0.1
    average: float = 0.0
    seed: int = 0


def optimizer_of(model: Model, settings: Settings) -> torch.optim.Optimizer:
    count, groups = len(model.encoder.layers), []

    def add(parameters, rate: float) -> None:
        parameters = list(parameters)
        for plain in (True, False):
            chosen = [value for name, value in parameters if ('bias' in name or 'norm' in name) == plain]
            groups.append({'params': chosen, 'lr': rate, 'full': rate, 'weight_decay': 0.0 if plain else settings.shrink})

    for i, layer in enumerate(model.encoder.layers):
        add(layer.items(), settings.rate * settings.decay ** (count - 1 - i))
    lowest = settings.rate * settings.decay ** count
    add(model.encoder.below.items(), lowest)
    add(model.heads.items(), settings.head_rate)
    model.encoder.pieces.requires_grad_(settings.pieces > 0)
    if settings.pieces:
        add([('pieces', model.encoder.pieces)], lowest * settings.pieces)
    return torch.optim.AdamW([group for group in groups if group['params']], betas=(0.9, 0.98), eps=1e-8, fused=True)


def height(step: int, steps: int) -> float:
    """Of the rate: up in a line, then down as half a cosine."""
    up = WARM_UP * steps
    return min(1.0, (step + 1) / up) if step < up else 0.5 + 0.5 * math.cos(math.pi * min(1.0, (step - up) / (steps - up)))


def fit(model: Model, texts: Texts, names: list[list[int]], loss, settings: Settings, file: Path, after_epoch) -> Model:
    """loss(model, batch, vectors of the names, dropout). file: of the checkpoint. after_epoch(number, model or its running mean).
    Gives the last of these."""
    optimizer, mean_of = optimizer_of(model, settings), None
    if settings.average:
        mean_of = swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(settings.average))
    told = mean_of.module if mean_of else model
    kept = {'model': model, 'optimizer': optimizer, **({'mean': mean_of} if mean_of else {})}
    first = restored(file, kept)
    steps = settings.epochs * len(texts.epoch(settings.tokens, 0))
    for epoch in range(first, settings.epochs):
        run_epoch(epoch, model, mean_of, texts, names, loss, settings, optimizer, steps)
        after_epoch(epoch, told)
        torch.save({'epoch': epoch + 1, **{name: part.state_dict() for name, part in kept.items()}}, file.with_suffix('.new'))
        file.with_suffix('.new').rename(file)
    return told


def epochs_done(file: Path) -> int:
    return torch.load(file, mmap=True)['epoch'] if file.exists() else 0


def restored(file: Path, parts: dict) -> int:
    """Number of the epoch to go on with."""
    if file.exists():
        kept = torch.load(file)
        for name, part in parts.items():
            part.load_state_dict(kept[name])
    return epochs_done(file)


def run_epoch(epoch: int, model: Model, mean_of, texts: Texts, names: list[list[int]], loss, settings: Settings,
              optimizer: torch.optim.Optimizer, steps: int) -> None:
    torch.manual_seed(settings.seed * 1000 + epoch)
    todo, losses, start, done = texts.epoch(settings.tokens, settings.seed * 1000 + epoch), [], time.time(), 0
    for number, chosen in enumerate(todo):
        if number % FRESH == 0:
            vectors = torch.tensor(np.array(each(lambda ids, mask: model({'ids': ids, 'mask': mask})[0], names)))
        for group in optimizer.param_groups:
            group['lr'] = group['full'] * height(epoch * len(todo) + number, steps)
        value = loss(model, texts.batch(chosen), vectors, settings.dropout)
        value.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), LONGEST_STEP)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if mean_of:
            mean_of.update_parameters(model)
        losses.append(value.item())
        done += len(chosen)
        if number % SHOWN == SHOWN - 1 or number == len(todo) - 1:
            print(f'epoch {epoch + 1}, step {number + 1} of {len(todo)}, loss {np.mean(losses[-SHOWN:]):.3f}, '
                  f'{done / (time.time() - start):.1f} texts a second', flush=True)
