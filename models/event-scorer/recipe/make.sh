#!/bin/sh
# Makes the event scorer again from PyPI: needs python3 (3.11 or newer), 4 GB of memory and about 2 GB of disk.
#   models/event-scorer/recipe/make.sh [work folder, default: a new one under /tmp]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}
mkdir -p "$work"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
# One thread: sums in linear algebra are then taken in one order.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
exec "$work/venv/bin/python" "$here/make.py" "$work"
