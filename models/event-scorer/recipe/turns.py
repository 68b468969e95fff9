"""Training sentences for reversals: frames in which dangers end or come, boons come or end, and quantities turn, filled at
random from a fixed seed; and pairs in other languages, written by hand. Sentiment only: importance is not known."""
import json
import random

from patterns import DATA

SEED, EACH = 11, 4
DANGERS = [('danger_ends', 1), ('danger_comes', -1)]
BOONS = [('boon_comes', 1), ('boon_ends', -1)]
MOVES = [('good', 'up', 1), ('good', 'down', -1), ('ill', 'up', -1), ('ill', 'down', 1)]


def turns() -> list[dict]:
    """[{text, sentiment}], each frame with EACH different fillings."""
    data, chance = json.loads((DATA / 'turns.json').read_text()), random.Random(SEED)
    frames = [(frame, {'x': data[name]}, sign) for name, group in (('danger', DANGERS), ('boon', BOONS))
              for key, sign in group for frame in data[key]]
    frames += [(frame, {'q': data[name]}, sign) for name, move, sign in MOVES for frame in data[move]]
    frames += [(frame, {'g': data['good'], 'i': data['ill']}, sign)
               for key, sign in (('turn_good', 1), ('turn_bad', -1)) for frame in data[key]]
    found = {filled(frame, slots, data, chance): sign for frame, slots, sign in frames for _ in range(EACH)}
    lines = (line.rsplit('|', 1) for line in (DATA / 'turns.txt').read_text().splitlines())
    return [{'text': text, 'sentiment': sign} for text, sign in found.items()] + [
        {'text': text, 'sentiment': int(sign)} for text, sign in lines]


def filled(frame: str, slots: dict[str, list[str]], data: dict, chance: random.Random) -> str:
    words = {name: chance.choice(choices) for name, choices in slots.items()}
    text = frame.format(**words, p=chance.choice(['', '', 'planned ', 'threatened ', 'feared '] if 'x' in slots else ['']),
                        s=chance.choice(data['place']), n=chance.randint(2, 19))
    opening = chance.choice(data['opening'])
    return opening + text if opening or chance.random() < 0.3 else text[0].upper() + text[1:]
