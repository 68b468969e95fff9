"""Runs the graph as the runtime does: one text at a time, one thread."""
import numpy as np
import onnx
import onnxruntime

from pieces import softened, Tokenizer


class Scorer:
    """The shipped model on texts of one sentence, without the gates."""

    def __init__(self, model: onnx.ModelProto, vocabulary: list[list]):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
        self.outputs = [output.name for output in self.session.get_outputs()]
        self.tokenizer = Tokenizer(vocabulary)

    def read(self, text: str) -> dict[str, np.ndarray]:
        tokens = np.array(self.tokenizer.encode(softened(text)), np.int64)
        return dict(zip(self.outputs, self.session.run(self.outputs, {'tokens': tokens})))
