"""
The side of LightGBM in bench/trees.ts, `trees.py ROWS FEATURES TREES LEVEL`: reads the columns and the target as doubles from
standard input, and says its version, the processor seconds of binning and fit on one thread, and the loss on the rows themselves.
"""
import sys
import time

import lightgbm
import numpy as np

rows, features, trees = (int(word) for word in sys.argv[1:4])
level = float(sys.argv[4])
columns = np.frombuffer(sys.stdin.buffer.read(), dtype='<f8').reshape(features + 1, rows)
x, y = np.ascontiguousarray(columns[:features].T), columns[features]
parameters = dict(objective='quantile', alpha=level, num_leaves=31, min_data_in_leaf=20, learning_rate=.1, max_bin=255,
                  num_threads=1, verbose=-1)
start = time.process_time()
model = lightgbm.train(parameters, lightgbm.Dataset(x, y), trees)
seconds = time.process_time() - start
residual = y - model.predict(x, num_threads=1)
print(lightgbm.__version__, seconds, np.mean(np.maximum(level * residual, (level - 1) * residual)))
