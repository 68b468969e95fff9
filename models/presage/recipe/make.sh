#!/usr/bin/env bash
# Makes one slug from nothing: make.sh nano|mini|base [WORK FOLDER]. Goes on from its checkpoints after a stop.
#   nano   40 minutes flat, then 12 of decay: 52 minutes of two cores
#   mini   starts from nano before its decay: 60 minutes of two cores more (MINUTES)
#   base   starts from mini.onnx; meant for a GPU (DEVICE=cuda RANKS=1 MINUTES=25)
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
  train --slug nano --minutes 40 --decay 0 --seed 1
  cp "$work/nano.pt" "$work/nano-flat.pt"
fi
case $slug in
  nano) seeds='1, then 5'
        train --slug nano --minutes 52 --decay .23 --seed 5 ;;
  mini) seeds='2, from the flat nano of seed 1'
        train --slug mini --start "$work/nano-flat.pt" --minutes "${MINUTES:-60}" --decay .4 --warm 50 --rate 1e-3 --muon-rate 8e-3 --seed 2 ;;
  base) seeds='4, from mini.onnx'
        "$python" "$here/export.py" "$here/../mini.onnx" "$work/mini-start.pt"
        train --slug base --start "$work/mini-start.pt" --minutes "${MINUTES:-120}" --decay .5 --seed 4 ;;
  *) echo "nano, mini or base"; exit 1 ;;
esac
"$python" "$here/export.py" "$work/$slug.pt" "$here/../$slug.onnx"
"$python" "$here/manifest.py" "$work/$slug.pt" "$here/../$slug.onnx" "$work/$slug.log" \
  --cost "${COST:-$ranks processes on $device}" --seeds "$seeds"
"$python" "$here/gradients.py" "$here/../$slug.onnx" "$here/../training"
