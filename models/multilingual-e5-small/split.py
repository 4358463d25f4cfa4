"""Splits the model of convert.py: the word embeddings go into a file of rows, the layers read `inputs_embeds`.

Usage: split.py MODEL.onnx OUT_DIR   (needs numpy, onnx)
Row of OUT_DIR/word_embeddings.bin, for each token: 12 scales (float16, little endian), then 384 weights of 4 bits, two in a byte,
the first in the low half. A weight is its 4-bit number in two's complement, times the scale of its block of 32."""
import sys,numpy as np,onnx
from onnx import numpy_helper as nh, helper as h, TensorProto as T
src,out=sys.argv[1:3]
m=onnx.load(src); g=m.graph
I={i.name:i for i in g.initializer}
rows,size=I['emb.word'].dims
words=np.frombuffer(I['emb.word'].raw_data,np.uint8).reshape(rows,size//2)
scales=nh.to_array(I['emb.word.scale'])
assert scales.dtype==np.float16
open(out+'/word_embeddings.bin','wb').write(np.concatenate([scales.astype('<f2').view(np.uint8),words],axis=1).tobytes())
for name in ('emb.word','emb.word.scale'): g.initializer.remove(I[name])
nodes=[]
for n in g.node:
    if n.op_type=='GatherBlockQuantized' or list(n.input)==['e16']: continue
    n.input[:]=[{'e0':'inputs_embeds','input_ids':'attention_mask'}.get(i,i) for i in n.input]
    nodes.append(n)
del g.node[:]; g.node.extend(nodes)
mask=[i for i in g.input if i.name=='attention_mask']
del g.input[:]; g.input.extend([h.make_tensor_value_info('inputs_embeds',T.FLOAT,['batch','sequence',size]),*mask])
onnx.checker.check_model(m)
onnx.save(m,out+'/model_quantized.onnx')
