"""
The side of statsmodels in bench/causality.ts: reads "variables rows max_lag" and that many doubles from standard input, tests every
ordered pair, and says the seconds that took, those of the processor, and the sums of all F statistics and p values.
"""
import struct
import sys
import time
import warnings

import numpy as np
import statsmodels
from statsmodels.tsa.stattools import grangercausalitytests

warnings.simplefilter('ignore')
source = sys.stdin.buffer
variables, rows, max_lag = struct.unpack('<3i', source.read(12))
data = np.frombuffer(source.read(), dtype='<f8').reshape(variables, rows)
begin, begin_cpu, f_sum, p_sum = time.perf_counter(), time.process_time(), 0.0, 0.0
for effect in range(variables):
    for cause in range(variables):
        if effect == cause:
            continue
        answer = grangercausalitytests(np.column_stack([data[effect], data[cause]]), max_lag)
        for lag in range(1, max_lag + 1):
            f, p = answer[lag][0]['ssr_ftest'][:2]
            f_sum += f
            p_sum += p
print(statsmodels.__version__, time.perf_counter() - begin, time.process_time() - begin_cpu, f_sum, p_sum)
