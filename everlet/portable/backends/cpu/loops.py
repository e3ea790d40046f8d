"""The loops that call kernels for chunks of items or for ranges, one after the other or by threads.

A kernel is a C function entry(begin, end, chunk, thread, words), and so are these loops, written in LLVM's language: they
take a kernel by its address. The threads are those of Numba's pool, which is loaded without the rest of Numba.

    serial(entry, n, size, begins, ends, words)      chunk k is the items k*size … (k+1)*size - 1 of n, or, if size is 0,
    threaded(…, pool, thread_id, threads)            begins[k] … ends[k] - 1, and n is the number of ranges
    steps(checked, plain, rest, due, count, …)       lists of such calls, one after the other and again (ready.py)
"""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from everlet import settings
from everlet.portable.backends.cpu.code import Code, target


def _members(value: str) -> str:
    """What %task and %call begin with, by names."""
    return "\n  ".join(f"%{name} = extractvalue {value}, {place}"
                       for place, name in enumerate(("entry", "n", "size", "begins", "ends", "words")))


TEXT = """
%task = type { ptr, i64, i64, ptr, ptr, ptr, ptr }

define internal void @chunk(ptr %entry, i64 %n, i64 %size, ptr %begins, ptr %ends, ptr %words, i64 %k, i64 %thread) {
  %ranges = icmp eq i64 %size, 0
  br i1 %ranges, label %range, label %items
items:
  %low = mul i64 %k, %size
  %beyond = add i64 %low, %size
  %high = call i64 @llvm.smin.i64(i64 %beyond, i64 %n)
  call void %entry(i64 %low, i64 %high, i64 %k, i64 %thread, ptr %words)
  ret void
range:
  %begin = getelementptr i64, ptr %begins, i64 %k
  %first = load i64, ptr %begin
  %end = getelementptr i64, ptr %ends, i64 %k
  %last = load i64, ptr %end
  call void %entry(i64 %first, i64 %last, i64 %k, i64 %thread, ptr %words)
  ret void
}

define internal i64 @chunks(i64 %n, i64 %size) {
  %ranges = icmp eq i64 %size, 0
  %divisor = select i1 %ranges, i64 1, i64 %size
  %sum = add i64 %n, %divisor
  %up = sub i64 %sum, 1
  %count = sdiv i64 %up, %divisor
  ret i64 %count
}

define void @serial(ptr %entry, i64 %n, i64 %size, ptr %begins, ptr %ends, ptr %words) {
start:
  %count = call i64 @chunks(i64 %n, i64 %size)
  br label %test
test:
  %k = phi i64 [0, %start], [%next, %loop]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %loop, label %done
loop:
  call void @chunk(ptr %entry, i64 %n, i64 %size, ptr %begins, ptr %ends, ptr %words, i64 %k, i64 0)
  %next = add i64 %k, 1
  br label %test
done:
  ret void
}

; the pool calls this for sizes[0] chunks from args[0] - 1 on: it adds chunk numbers to an address that is not zero
define internal void @some(ptr %args, ptr %sizes, ptr %steps, ptr %data) {
start:
  %t = load %task, ptr %data
  TASK_MEMBERS
  %thread_id = extractvalue %task %t, 6
  %id = call i32 %thread_id()
  %thread = sext i32 %id to i64
  %place = load ptr, ptr %args
  %number = ptrtoint ptr %place to i64
  %first = sub i64 %number, 1
  %count = load i64, ptr %sizes
  %last = add i64 %first, %count
  br label %test
test:
  %k = phi i64 [%first, %start], [%next, %loop]
  %more = icmp slt i64 %k, %last
  br i1 %more, label %loop, label %done
loop:
  call void @chunk(ptr %entry, i64 %n, i64 %size, ptr %begins, ptr %ends, ptr %words, i64 %k, i64 %thread)
  %next = add i64 %k, 1
  br label %test
done:
  ret void
}

define void @threaded(ptr %entry, i64 %n, i64 %size, ptr %begins, ptr %ends, ptr %words,
                      ptr %pool, ptr %thread_id, i32 %threads) {
  %data = alloca %task
  %args = alloca ptr
  %sizes = alloca i64
  %steps = alloca i64
  %t0 = insertvalue %task undef, ptr %entry, 0
  %t1 = insertvalue %task %t0, i64 %n, 1
  %t2 = insertvalue %task %t1, i64 %size, 2
  %t3 = insertvalue %task %t2, ptr %begins, 3
  %t4 = insertvalue %task %t3, ptr %ends, 4
  %t5 = insertvalue %task %t4, ptr %words, 5
  %t6 = insertvalue %task %t5, ptr %thread_id, 6
  store %task %t6, ptr %data
  %count = call i64 @chunks(i64 %n, i64 %size)
  store ptr inttoptr (i64 1 to ptr), ptr %args
  store i64 %count, ptr %sizes
  store i64 1, ptr %steps
  call void %pool(ptr @some, ptr %args, ptr %sizes, ptr %steps, ptr %data, i64 0, i64 1, i32 %threads)
  ret void
}

; a call and the number of the place that its time is added to
%call = type { ptr, i64, i64, ptr, ptr, ptr, i64, i64 }
%list = type { ptr, i64 }

define internal double @now() {
  %at = alloca { i64, i64 }
  %status = call i32 @clock_gettime(i32 CLOCK, ptr %at)
  %both = load { i64, i64 }, ptr %at
  %whole = extractvalue { i64, i64 } %both, 0
  %part = extractvalue { i64, i64 } %both, 1
  %seconds = sitofp i64 %whole to double
  %nanoseconds = sitofp i64 %part to double
  %fraction = fmul double %nanoseconds, 1.0e-9
  %sum = fadd double %seconds, %fraction
  ret double %sum
}

define internal void @calls(ptr %list, ptr %pool, ptr %thread_id, ptr %times) {
start:
  %l = load %list, ptr %list
  %first = extractvalue %list %l, 0
  %count = extractvalue %list %l, 1
  %begin = call double @now()
  br label %test
test:
  %k = phi i64 [0, %start], [%next, %done]
  %before = phi double [%begin, %start], [%after, %done]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %loop, label %end
loop:
  %place = getelementptr %call, ptr %first, i64 %k
  %c = load %call, ptr %place
  CALL_MEMBERS
  %threads = extractvalue %call %c, 6
  %slot = extractvalue %call %c, 7
  %alone = icmp eq i64 %threads, 1
  br i1 %alone, label %one, label %several
one:
  call void @serial(ptr %entry, i64 %n, i64 %size, ptr %begins, ptr %ends, ptr %words)
  br label %done
several:
  %t = trunc i64 %threads to i32
  call void @threaded(ptr %entry, i64 %n, i64 %size, ptr %begins, ptr %ends, ptr %words, ptr %pool, ptr %thread_id, i32 %t)
  br label %done
done:
  %after = call double @now()
  %took = fsub double %after, %before
  %sum = getelementptr double, ptr %times, i64 %slot
  %old = load double, ptr %sum
  %new = fadd double %old, %took
  store double %new, ptr %sum
  %next = add i64 %k, 1
  br label %test
end:
  ret void
}

define i64 @steps(ptr %checked, ptr %plain, ptr %rest, ptr %due, i64 %count, ptr %stop, i64 %later,
                  ptr %pool, ptr %thread_id, ptr %times) {
start:
  br label %test
test:
  %k = phi i64 [0, %start], [%next, %on]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %loop, label %end
loop:
  %at = getelementptr i8, ptr %due, i64 %k
  %byte = load i8, ptr %at
  %looks = icmp ne i8 %byte, 0
  %head = select i1 %looks, ptr %checked, ptr %plain
  call void @calls(ptr %head, ptr %pool, ptr %thread_id, ptr %times)
  br i1 %looks, label %look, label %on
look:
  %word = load i64, ptr %stop
  %free = icmp eq i64 %word, %later
  br i1 %free, label %on, label %end
on:
  call void @calls(ptr %rest, ptr %pool, ptr %thread_id, ptr %times)
  %next = add i64 %k, 1
  br label %test
end:
  ret i64 %k
}

define void @zero(i64 %begin, i64 %end, i64 %chunk, i64 %thread, ptr %words) {
  %address = load ptr, ptr %words
  %first = getelementptr i8, ptr %address, i64 %begin
  %size = sub i64 %end, %begin
  call void @llvm.memset.p0.i64(ptr %first, i8 0, i64 %size, i1 false)
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @clock_gettime(i32, ptr)
""".replace("CLOCK", str(time.CLOCK_MONOTONIC)).replace("TASK_MEMBERS", _members("%task %t")).replace(
    "CALL_MEMBERS", _members("%call %c"))

_POINTER, _NUMBER = ctypes.c_void_p, ctypes.c_int64
_SERIAL = ctypes.CFUNCTYPE(None, _POINTER, _NUMBER, _NUMBER, _POINTER, _POINTER, _POINTER)
_THREADED = ctypes.CFUNCTYPE(None, _POINTER, _NUMBER, _NUMBER, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER, ctypes.c_int)
_STEPS = ctypes.CFUNCTYPE(_NUMBER, *[_POINTER] * 4, _NUMBER, _POINTER, _NUMBER, *[_POINTER] * 3)


MAKING = threading.Lock()
_LOOPS: list[Loops] = []


class Loops(NamedTuple):
    serial: Any
    threaded: Any
    steps: Any
    zero: int  # the address of a kernel that fills bytes with 0
    code: Code  # keeps them


def _compiled() -> bytes:
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(TEXT)
    module.triple = llvm.get_process_triple()
    module.verify()
    return bytes(target().emit_object(module))


def loops() -> Loops:
    """Made once: a second set would take the place of one that another thread runs, and close its machine code."""
    if not _LOOPS:
        with MAKING:
            if not _LOOPS:
                _LOOPS.append(_made())
    return _LOOPS[0]


def _made() -> Loops:
    from everlet.portable import cache  # late: it knows of this place
    from everlet.portable.backends.base import backend

    said = f"{TEXT} {backend('cpu').surroundings()}"
    code = Code(cache.kept("loops", said, _compiled), "serial", "threaded", "steps", "zero")
    serial, threaded, steps, zero = code.addresses
    return Loops(_SERIAL(serial), _THREADED(threaded), _STEPS(steps), zero, code)


@functools.cache
def pool(threads: int) -> tuple[int, int]:
    """Addresses of the pool's loop and of the function that tells a thread its number."""
    settings.for_libraries("OMP_WAIT_POLICY", "passive")  # idle threads of one rank must not starve another rank
    numba = importlib.util.find_spec("numba")
    places = [Path(place, "np", "ufunc", f"omppool{suffix}") for place in (numba and numba.submodule_search_locations) or ()
              for suffix in importlib.machinery.EXTENSION_SUFFIXES]
    for place in filter(Path.exists, places):
        loader = importlib.machinery.ExtensionFileLoader("numba.np.ufunc.omppool", str(place))
        spec = importlib.util.spec_from_loader(loader.name, loader)
        assert spec is not None
        try:
            module: Any = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
        except ImportError:  # no OpenMP on this machine
            break
        ctypes.CFUNCTYPE(None, ctypes.c_int)(module.launch_threads)(threads)
        return module.parallel_for, module.get_thread_id
    import llvmlite.binding as llvm
    from numba.np.ufunc import parallel

    parallel._launch_threads()  # another pool, whichever there is
    return llvm.address_of_symbol("numba_parallel_for"), llvm.address_of_symbol("get_thread_id")


def run(entry: int, n: int, size: int, words: bytes, threads: int, most: int) -> None:
    """Call the kernel at this address for chunks of so many of n items."""
    if threads == 1 or n <= size:
        loops().serial(entry, n, size, None, None, words)
    else:
        loops().threaded(entry, n, size, None, None, words, *pool(most), threads)


def run_ranges(entry: int, begins: int, ends: int, count: int, words: bytes, threads: int, most: int) -> None:
    """Call the kernel at this address for so many ranges of items, which begin and end as it stands at these addresses."""
    if threads == 1 or count == 1:
        loops().serial(entry, count, 0, begins, ends, words)
    else:
        loops().threaded(entry, count, 0, begins, ends, words, *pool(most), threads)
