#!/bin/sh
# Makes the event scorer again from PyPI: needs python3 (3.11 or newer), 6 GB of memory and about 2 GB of disk.
#   models/event-scorer/recipe/make.sh [work folder, default: a new one under /tmp]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}
mkdir -p "$work"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
export PYTHONDONTWRITEBYTECODE=1
python="$work/venv/bin/python"
half=$(grep -qw avx512_bf16 /proc/cpuinfo && echo --half || true)
# Each goes on from its last checkpoint after a stop, and is left out once it is through.
"$python" "$here/train.py" teacher --work "$work" --out "$work/teacher.pickle" --epochs 3 $half
"$python" "$here/train.py" student --work "$work" --out "$work/student.pickle" --teachers "$work/teacher.pickle" --first --epochs 3 $half
# One thread: sums in linear algebra are then taken in one order.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec "$python" "$here/make.py" "$work" "$work/student.pickle"
