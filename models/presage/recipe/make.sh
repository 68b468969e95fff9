#!/usr/bin/env bash
# Makes one slug from nothing: make.sh nano|mini|base [WORK FOLDER]. Goes on from its checkpoints after a stop.
#   nano   11,000 steps flat, then 4,000 of decay
#   mini   starts from nano before its decay: 2,000 steps flat (FLAT), 2,300 of decay (FALL)
#   base   starts from mini.onnx; meant for a GPU (DEVICE=cuda RANKS=1)
set -euo pipefail
slug=$1 here=$(cd "$(dirname "$0")" && pwd) work=${2:-$(dirname "$0")/../build}
ranks=${RANKS:-2} device=${DEVICE:-cpu}
mkdir -p "$work"
work=$(cd "$work" && pwd)
[ -d "$work/venv" ] || { python3 -m venv "$work/venv"; "$work/venv/bin/pip" install -q -r "$here/requirements.txt"; }
python="$work/venv/bin/python"
half=$(grep -qw avx512_bf16 /proc/cpuinfo && echo --half || true)
train() { "$python" "$here/train.py" --out "$work" --ranks "$ranks" --device "$device" $half "$@"; }

if [ "$slug" != base ] && [ ! -f "$work/nano-flat.pt" ]; then
  train --slug nano --flat 11000 --fall 0 --seed 1
  cp "$work/nano.pt" "$work/nano-flat.pt"
fi
case $slug in
  nano) seeds=1
        train --slug nano --flat 11000 --fall 4000 --seed 1 ;;
  mini) seeds='2, from the flat nano of seed 1'
        train --slug mini --start "$work/nano-flat.pt" --flat "${FLAT:-2000}" --fall "${FALL:-2300}" \
          --warm 50 --rate 1e-3 --muon-rate 8e-3 --seed 2 ;;
  base) seeds='4, from mini.onnx'
        "$python" "$here/export.py" "$here/../mini.onnx" "$work/mini-start.pt"
        train --slug base --start "$work/mini-start.pt" --flat "${FLAT:-10000}" --fall "${FALL:-10000}" --seed 4 ;;
  *) echo "nano, mini or base"; exit 1 ;;
esac
"$python" "$here/export.py" "$work/$slug.pt" "$here/../$slug.onnx"
"$python" "$here/manifest.py" "$work/$slug.pt" "$here/../$slug.onnx" "$work/$slug.log" \
  --cost "${COST:-$ranks processes on $device}" --seeds "$seeds"
"$python" "$here/gradients.py" "$here/../$slug.onnx" "$here/../training"
