"""A network in our own file as an ONNX model: what ONNX Runtime is compared with."""
import json
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def read_safetensors(path):
    """The tensors of a file as float32 by name, and what it says of itself."""
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    kinds = {"F32": np.float32, "F16": np.float16}
    tensors = {}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        flat = np.frombuffer(data[8 + length + start:8 + length + end], kinds[entry["dtype"]])
        tensors[name] = flat.reshape(entry["shape"]).astype(np.float32)
    return tensors, metadata


def scaled(pictures, metadata):
    """uint8 [count, size, size, 3] as what the network takes: float32 [count, 3, size, size]."""
    mean = np.array([float(x) for x in metadata.get("mean", "0.485 0.456 0.406").split()], np.float32)
    deviation = np.array([float(x) for x in metadata.get("deviation", "0.229 0.224 0.225").split()], np.float32)
    return np.ascontiguousarray(((pictures.astype(np.float32) / 255 - mean) / deviation).transpose(0, 3, 1, 2))


def build(tensors, metadata, size):
    """The network up to the global average, in ONNX's layout (NCHW)."""
    nodes, weights = [], []
    same = metadata.get("padding") == "tensorFlowSame"

    def constant(name, value):
        weights.append(numpy_helper.from_array(value, name))
        return name

    constant("zero", np.array(0, np.float32))
    constant("six", np.array(6, np.float32))

    def convolution(source, name, side, stride=1, group=1, clamps=True):
        weight = tensors[name + ".weight"]
        kernel = weight.shape[2]
        before = after = 0
        if kernel == 3:
            total = max((-(-side // stride) - 1) * stride + 3 - side, 0)
            before, after = (total // 2, total - total // 2) if same else (1, 1)
        nodes.append(helper.make_node(
            "Conv", [source, constant(name + ".w", weight), constant(name + ".b", tensors[name + ".bias"])], [name],
            kernel_shape=[kernel, kernel], strides=[stride, stride], group=group, pads=[before, before, after, after]))
        if not clamps:
            return name
        nodes.append(helper.make_node("Clip", [name, "zero", "six"], [name + ".clamped"]))
        return name + ".clamped"

    value = convolution("input", "stem", size, 2)
    side, channels = size // 2, tensors["stem.weight"].shape[0]
    halves = {1, 3, 6, 13}
    for block in range(17):
        name, source, stride = f"blocks.{block:02d}", value, 2 if block in halves else 1
        if name + ".expand.weight" in tensors:
            value = convolution(value, name + ".expand", side)
        depthwise = tensors[name + ".depthwise.weight"].shape[0]
        value = convolution(value, name + ".depthwise", side, stride, depthwise)
        side //= stride
        value = convolution(value, name + ".project", side, clamps=False)
        outputs = tensors[name + ".project.weight"].shape[0]
        if stride == 1 and outputs == channels:
            nodes.append(helper.make_node("Add", [value, source], [name + ".sum"]))
            value = name + ".sum"
        channels = outputs
    value = convolution(value, "last", side)
    nodes.append(helper.make_node("GlobalAveragePool", [value], ["pooled"]))
    nodes.append(helper.make_node("Flatten", ["pooled"], ["descriptor"]))
    graph = helper.make_graph(
        nodes, "mobilenet_v2", [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["n", 3, size, size])],
        [helper.make_tensor_value_info("descriptor", TensorProto.FLOAT, ["n", tensors["last.weight"].shape[0]])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model.SerializeToString()
