"""What training makes small. Two kinds: distance from the labels, and distance from what a teacher says."""
import torch
import torch.nn.functional as F
from torch import nn, Tensor

from bert import arrays_of, Encoder, parameters_of
from heads import pooled, predictions, rises, rises_all
from texts import UNKNOWN

SMOOTHING = 0.05
WEIGHT = {'importance': 6.0, 'targets': 0.5, 'topic': 0.3, 'kinds': 1.0}
TAUGHT = {'labels': 1.0, 'sentiment': 1.0, 'importance': 6.0, 'targets': 0.5, 'vector': 1.0}
HEAT, NAMES = 2.0, 64


class Model(nn.Module):
    """half: the encoder's matrix products in bfloat16, its sums and its weights in float32."""
    half = False

    def __init__(self, weights: dict, heads: dict):
        super().__init__()
        self.encoder, self.heads = Encoder(weights), parameters_of(heads)

    def forward(self, batch: dict[str, Tensor], dropout: float = 0.0) -> tuple[Tensor, list[Tensor]]:
        """The texts' vectors, and the states after each layer."""
        with torch.autocast('cpu', torch.bfloat16, enabled=self.half):
            states = self.encoder(batch['ids'], batch['mask'], dropout)
        return pooled(self.heads, states[-1], batch['mask']), states

    def arrays(self) -> dict:
        return {'weights': self.encoder.weights(), 'heads': arrays_of(self.heads)}


def of_labels(heads, text: Tensor, batch: dict[str, Tensor], names: Tensor) -> Tensor:
    weight = batch['weight'] / (batch['weight'].sum() + 1e-6)
    logits, importance = predictions(heads, text)
    known = batch['sentiment'] != UNKNOWN
    sentiment = F.cross_entropy(logits, torch.where(known, batch['sentiment'], 0) + 1, reduction='none', label_smoothing=SMOOTHING)
    missed = (importance - batch['importance']) ** 2 * (batch['importance'] >= 0)
    odds = rises(heads, text, logits, names[batch['targets']])
    wrong = (F.softplus(-odds * batch['signs']) * (batch['signs'] != 0)).sum(1)
    labelled = (sentiment * known + WEIGHT['importance'] * missed + WEIGHT['targets'] * wrong) * weight
    has_topic = (batch['topic'] ** 2).sum(-1) > 0
    unlike = 1 - F.cosine_similarity(text @ heads['topic'], batch['topic'], dim=-1)
    kind = text @ heads['kinds'] + heads['kinds_bias']
    kinds = F.binary_cross_entropy_with_logits(kind, batch['kinds'].clamp(min=0), reduction='none')
    missed_kinds = (kinds.mean(1) * (batch['kinds'][:, 0] >= 0)).mean()
    return labelled.sum() + WEIGHT['topic'] * (unlike * has_topic).mean() + WEIGHT['kinds'] * missed_kinds


def of_two_passes(heads, one: Tensor, two: Tensor) -> Tensor:
    """Under two draws of what is dropped the same should be said (Liang et al. 2021, arXiv:2106.14448)."""
    a, b = (F.log_softmax(predictions(heads, text)[0], -1) for text in (one, two))
    both = lambda x, y: F.kl_div(x, y, log_target=True, reduction='none').sum(-1)
    return ((both(a, b) + both(b, a)) / 2).mean()


def of_teacher(heads, text: Tensor, batch: dict[str, Tensor], names: Tensor, lesson: dict) -> Tensor:
    """batch: `logits_taught` [B, 3], `importance_taught` [B], `course_taught` [B, r], whose product with the lesson's `quantity` [k, r]
    is the log odds for the names [k, width], and `vector_taught` [B, width], which vary by the lesson's `spread`."""
    logits, importance = predictions(heads, text)
    said, wanted = F.log_softmax(logits / HEAT, -1), F.softmax(batch['logits_taught'] / HEAT, -1)
    soft = F.kl_div(said, wanted, reduction='batchmean') * HEAT ** 2
    missed = F.mse_loss(importance, batch['importance_taught'])
    some = torch.randperm(len(names))[:NAMES]
    likely = torch.sigmoid(batch['course_taught'] @ lesson['quantity'][some].T)
    odds = F.binary_cross_entropy_with_logits(rises_all(heads, text, logits, names[some]), likely)
    away = F.mse_loss(text, batch['vector_taught']) / lesson['spread']
    return TAUGHT['sentiment'] * soft + TAUGHT['importance'] * missed + TAUGHT['targets'] * odds + TAUGHT['vector'] * away
