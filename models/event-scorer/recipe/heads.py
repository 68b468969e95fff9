"""What is read from the states of the last layer. All of it works on arrays of numpy and of torch alike."""
import numpy as np

COURSE = 64


def first_heads(width: int, kinds: int, seed: int, attention: bool) -> dict[str, np.ndarray]:
    """kinds: how many a text may be of, for training only. attention: tokens are weighed by what they hold; the weights begin equal, as
    they stay without it."""
    chance = np.random.default_rng(seed)
    small = lambda size, scale=0.02: chance.normal(0, scale, (width, size)).astype(np.float32)
    heads = {'sentiment': small(3), 'sentiment_bias': np.zeros(3, np.float32), 'importance': small(1),
             'importance_bias': np.full(1, 0.4, np.float32), 'course': small(COURSE, 0.03), 'quantity': small(COURSE, 0.03),
             'kinds': small(kinds), 'kinds_bias': np.full(kinds, -3.0, np.float32),
             'good': np.zeros((width, 1), np.float32), 'topic': np.eye(width, dtype=np.float32)}
    return heads | ({'attention': np.zeros((width, 1), np.float32)} if attention else {})


def pooled(heads, states, mask):
    """states [B, T, width] -> the text's vector [B, width], from the tokens that are there."""
    share = mask * 1.0
    if 'attention' in heads:
        say = (states @ heads['attention'])[..., 0].clip(-30, 30)
        share = share * (np.exp(say) if isinstance(say, np.ndarray) else say.exp())
    return (states * (share / share.sum(-1)[:, None])[..., None]).sum(-2)


def predictions(heads, text):
    """Logits of the sentiment [n, 3] and importance [n] of texts' vectors [n, width]."""
    return text @ heads['sentiment'] + heads['sentiment_bias'], (text @ heads['importance'] + heads['importance_bias'])[:, 0]


def rises(heads, text, logits, names):
    """Log odds that targets [n, k, width] go up: what the text says of them, and its tone where the target is good to have."""
    said = ((text @ heads['course'])[:, None] * (names @ heads['quantity'])).sum(-1)
    return said + (logits[:, 2] - logits[:, 0])[:, None] * (names @ heads['good'])[..., 0]


def rises_all(heads, text, logits, names):
    """The same for every text [n, width] with every target [k, width] -> [n, k]."""
    said = (text @ heads['course']) @ (names @ heads['quantity']).T
    return said + (logits[:, 2] - logits[:, 0])[:, None] * (names @ heads['good'])[:, 0]
