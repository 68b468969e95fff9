"""Runs the graphs as the runtime does: one text at a time, one thread."""
import numpy as np
import onnx
import onnxruntime

from features import Reader
from heads import Features


def session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])


def features_of(texts: list[str], model: onnx.ModelProto, reader: Reader) -> Features:
    run, parts = session(model), []
    for text in texts:
        inputs = reader.inputs(text)
        lexicon = inputs.pop('lexicon')
        parts.append((*run.run(['sentence', 'state', 'word_mean'], inputs), lexicon))
    return Features(*map(np.array, zip(*parts)))


class Scorer:
    """The shipped model on texts of one sentence, without the gates; used to record the reference numbers."""

    def __init__(self, model: onnx.ModelProto, reader: Reader):
        self.session, self.reader = session(model), reader
        self.outputs = [output.name for output in self.session.get_outputs()]

    def read(self, text: str) -> dict[str, np.ndarray]:
        return dict(zip(self.outputs, self.session.run(self.outputs, self.reader.inputs(text))))
