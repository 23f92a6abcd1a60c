# shellcheck shell=bash
# Sourced by ../cleat: how large the heap of an agent may become. Builtins alone: it is on the way of every start.

# Where the kernel tells it.
proc=/proc
cgroups=/sys/fs/cgroup

# A size such as 512m or 4g as MiB, in $mib; false if it is none.
heap_size() {
  [[ $1 =~ ^([0-9]{1,7})([mMgG])$ ]] || return 1
  mib=$((10#${BASH_REMATCH[1]}))
  [[ ${BASH_REMATCH[2]} == [mM] ]] || mib=$((mib * 1024))
}

# The memory of the machine, or of the control group that holds this process and allows less; MiB, in $mib.
machine_memory() {
  local name value unit line path file # unit takes the rest of its line
  mib=0
  while read -r name value unit; do
    [ "$name" != MemTotal: ] || { mib=$((value / 1024)) && break; }
  done <"$proc/meminfo"
  while IFS= read -r line; do
    case "$line" in
      0::*) path=${line#0::} file=memory.max ;;
      *:memory:*) path=${line#*:memory:} file=memory.limit_in_bytes ;;
      *) continue ;;
    esac
    while :; do
      for value in "$cgroups$path/$file" "$cgroups/memory$path/$file"; do
        [ -r "$value" ] || continue
        read -r value <"$value" || continue
        if [[ $value =~ ^[0-9]{1,18}$ ]] && ((value / 1048576 < mib)); then mib=$((value / 1048576)); fi
      done
      [ -n "$path" ] && [ "$path" != / ] || break
      path=${path%/*}
    done
  done <"$proc/self/cgroup"
}

# Says in $heap what an agent's heap may be at most: what is asked for, or a share of the memory.
#   $@ the arguments of the agent, of which the last -heap counts
agent_heap() {
  local asked=${CLEAT_HEAP:-} from=CLEAT_HEAP mib arg isNext=
  for arg in "$@"; do
    if [ -n "$isNext" ]; then
      asked=$arg isNext=
      continue
    fi
    case "$arg" in
      --) break ;;
      -heap=* | --heap=*) asked=${arg#*=} from=-heap ;;
      -heap | --heap) isNext=yes from=-heap ;;
    esac
  done
  if [ -n "$asked" ] || [ "$from" = -heap ]; then
    # A heap that addresses fit into 32 bits of ends at 32 GB: beyond, everything takes half as much again.
    if ! heap_size "$asked" || ((mib < 64 || mib > 30720)); then
      printf '%s=%s is no heap\nexpected a size from 64m to 30g, such as 512m or 4g\n' "$from" "$asked" >&2
      return 1
    fi
  else
    machine_memory
    mib=$((mib / 4))
    ((mib >= 256)) || mib=256
    ((mib <= 30720)) || mib=30720
  fi
  heap=${mib}m
}
