"""A small builder for ONNX graphs. One text at a time: no batch axis anywhere."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 17, 8
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


class Graph:
    """Collects nodes and constants; every method that adds a node gives back the name of its output."""

    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def name(self, kind: str) -> str:
        self.count += 1
        return f'{kind}_{self.count}'

    def const(self, value, dtype=np.float32) -> str:
        name = self.name('c')
        array = np.asarray(value, dtype, order='C')
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def op(self, kind: str, *inputs: str, output: str | None = None, **attributes) -> str:
        output = output or self.name(kind.lower())
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def ints(self, *values: int) -> str:
        return self.const(values, np.int64)

    def weights(self, matrix: np.ndarray) -> str:
        """A matrix as int8 with a scale for each column, written Cast x scale like rows."""
        values, scale = quantise(matrix, 1, 127)
        return self.op('Mul', self.op('Cast', self.const(values, np.int8), to=FLOAT), self.const(scale))

    def rows(self, matrix: np.ndarray, ids: str) -> str:
        """Rows of an int8 matrix picked by ids, scaled back: Cast x scale is, unlike DequantizeLinear, the same arithmetic at
        every optimisation level of the runtime."""
        values, scale = quantise(matrix, 0, 127)
        picked = self.op('Cast', self.op('Gather', self.const(values, np.int8), ids), to=FLOAT)
        return self.op('Mul', picked, self.op('Gather', self.const(scale), ids))

    def linear(self, x: str, matrix: np.ndarray, bias: np.ndarray) -> str:
        """x @ matrix + bias in whole numbers: x in 8 bits under a scale of its own, the matrix in 7, so that sums of two
        products fit 16 bits and every processor, with or without instructions for this, gets the same sums."""
        values, scale = quantise(matrix, 1, 63)
        bytes_, x_scale, zero = self.name('bytes'), self.name('scale'), self.name('zero')
        self.nodes.append(helper.make_node('DynamicQuantizeLinear', [x], [bytes_, x_scale, zero]))
        sums = self.op('Cast', self.op('MatMulInteger', bytes_, self.const(values, np.int8), zero), to=FLOAT)
        return self.op('Add', self.op('Mul', sums, self.op('Mul', x_scale, self.const(scale[0]))), self.const(bias))

    def affine(self, x: str, matrix: np.ndarray, bias: np.ndarray, output: str | None = None) -> str:
        """x @ matrix + bias, for small matrices."""
        return self.op('Add', self.op('MatMul', x, self.const(matrix)), self.const(bias), output=output)

    def norm(self, x: str, scale: np.ndarray, bias: np.ndarray) -> str:
        return self.op('LayerNormalization', x, self.const(scale), self.const(bias), axis=-1, epsilon=1e-12)

    def gelu(self, x: str, scale: np.ndarray) -> str:
        """Times a scale of each column."""
        return self.op('Mul', self.op('Mul', x, self.const(0.5 * scale)),
                       self.op('Add', self.op('Erf', self.op('Mul', x, self.const(0.5 ** 0.5))), self.const(1.0)))

    def mean(self, x: str) -> str:
        """[n, d] -> [d]"""
        return self.op('ReduceMean', x, axes=[0], keepdims=0)

    def unit(self, x: str) -> str:
        """A vector brought to length one; zeros stay zeros."""
        length = self.op('ReduceL2', x, axes=[0], keepdims=1)
        return self.op('Div', x, self.op('Max', length, self.const([1e-9])))

    def model(self, inputs: list, outputs: list) -> onnx.ModelProto:
        ends = ([helper.make_tensor_value_info(*end) for end in group] for group in (inputs, outputs))
        graph = helper.make_graph(self.nodes, 'event_scorer', *ends, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', OPSET)], producer_name='event-scorer')
        model.ir_version = IR_VERSION
        onnx.checker.check_model(model)
        return model


def quantise(matrix: np.ndarray, axis: int, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric whole numbers from -largest to largest, and the scale of each row (axis 0) or column (1) that brings them back."""
    matrix = np.asarray(matrix, np.float32)
    scale = np.abs(matrix).max(axis=1 - axis, keepdims=True) / largest
    scale[scale == 0] = 1
    return np.clip(np.round(matrix / scale), -largest, largest).astype(np.int8), scale.astype(np.float32)
