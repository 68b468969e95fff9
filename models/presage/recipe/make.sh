#!/usr/bin/env bash
# Makes one slug from nothing: make.sh nano|mini|base [WORK FOLDER]. Goes on from its checkpoints after a stop.
#   nano   20 minutes flat, then 10 of decay: 30 minutes of two cores
#   mini   starts from nano as it is shipped, 10 minutes of two cores; more would do it good (MINUTES)
#   base   starts from mini.onnx; meant for a GPU (DEVICE=cuda RANKS=1 MINUTES=25)
set -euo pipefail
slug=$1 here=$(cd "$(dirname "$0")" && pwd) work=${2:-$(dirname "$0")/../build}
ranks=${RANKS:-2} device=${DEVICE:-cpu}
mkdir -p "$work"
work=$(cd "$work" && pwd)
[ -d "$work/venv" ] || { python3 -m venv "$work/venv"; "$work/venv/bin/pip" install -q -r "$here/requirements.txt"; }
python="$work/venv/bin/python"
train() { "$python" "$here/train.py" --out "$work" --ranks "$ranks" --device "$device" "$@"; }

if [ "$slug" != base ] && [ ! -f "$work/nano-flat.pt" ]; then
  train --slug nano --minutes 20 --decay 0 --seed 1
  cp "$work/nano.pt" "$work/nano-flat.pt"
fi
[ "$slug" = base ] || train --slug nano --minutes 30 --decay .32 --seed 5
case $slug in
  nano) seeds='1, then 5' ;;
  mini) seeds='2, from nano of seeds 1 and 5'
        train --slug mini --start "$work/nano.pt" --minutes "${MINUTES:-10}" --decay .98 --warm 25 --rate 1e-3 --muon-rate 6e-3 --seed 2 ;;
  base) seeds='4, from mini.onnx'
        "$python" "$here/export.py" "$here/../mini.onnx" "$work/mini-start.pt"
        train --slug base --start "$work/mini-start.pt" --minutes "${MINUTES:-120}" --decay .5 --seed 4 ;;
  *) echo "nano, mini or base"; exit 1 ;;
esac
"$python" "$here/export.py" "$work/$slug.pt" "$here/../$slug.onnx"
"$python" "$here/manifest.py" "$work/$slug.pt" "$here/../$slug.onnx" "$work/$slug.log" \
  --cost "${COST:-$ranks processes on $device}" --seeds "$seeds"
