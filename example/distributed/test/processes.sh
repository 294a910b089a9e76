#!/usr/bin/env bash
# processes.sh ALONE PROGRAM DATA DIRECTORY LAUNCHER...: runs PROGRAM, started by LAUNCHER -np P, next to ALONE, the same
# program without MPI.
set -euo pipefail
alone=$1 program=$2 data=$3 directory=$4
shift 4
rm -rf "$directory"
mkdir -p "$directory"
cd "$directory"

launch() {
  local processes=$1
  shift
  "${launcher[@]}" -np "$processes" "$program" "$@"
}
launcher=("$@")

for model in logistic mixture; do
  "$alone" "$data" --model $model --reproducible >alone.txt
  for processes in 1 2 4; do
    launch $processes "$data" --model $model --reproducible >several.txt
    cmp alone.txt several.txt
  done
done
echo "1, 2 and 4 processes give the bits of one without MPI"

launch 2 "$data" --iterations 60 >whole.txt
if launch 2 "$data" --iterations 60 --checkpoint state --kill-after 37 >killed.txt 2>&1; then
  echo "a killed process was not noticed"
  exit 1
fi
launch 2 "$data" --iterations 60 --checkpoint state >resumed.txt
grep -q "Going on after iteration 30" resumed.txt
diff <(grep -v "Going on" resumed.txt) whole.txt
echo "killed in iteration 37, started again after 30: the same result"

# A cell without a number lies in the part of one process.
sed '2900s/.*/1,2,x,4,0/' "$data" >broken.csv
if launch 4 broken.csv >broken.txt 2>&1; then
  echo "a broken row was not noticed"
  exit 1
fi
grep -q "broken.csv: row 2899: 'x' is not a finite number" broken.txt
[ "$(grep -c "tapeless: 1 of 4 processes failed" broken.txt)" = 3 ]
echo "a broken row in one part: every process says so"
